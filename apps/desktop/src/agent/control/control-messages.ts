import type {
  CreateException,
  CreateToolRequest,
  ExceptionRecord,
  SupervisorState,
  ToolRequestRecord,
} from '@csg/shared/contract';

/** What `status --json` prints, and what the window shows. */
export interface AgentStatus {
  readonly enrolled: boolean;
  /** The program that protects is there. */
  readonly running: boolean;
  /** `quiet` only where the proxy was seen to work; `stopped`: nothing runs. */
  readonly supervisor_state: SupervisorState | 'stopped';
  /** Null until the proxy was seen to work. */
  readonly proxy_port: number | null;
  readonly proxy_restarts: number;
  /** The device's root as PEM; null: there is none. */
  readonly ca_path: string | null;
  /** `on`: the machine's settings lead to the proxy. `off`: they are left alone, as configured. */
  readonly system_proxy: 'on' | 'off' | 'not_set';
  /** Apps are left alone until this computer trusts the certificate: `ca install`. */
  readonly needs_trust: boolean;
  /** Hosts of the policy that are not read until an administrator has run `ca install`. */
  readonly needs_administrator: readonly string[];
  readonly revoked: boolean;
  /** Hosts that the policy inspects and that are not read at the moment, or not reachable: sentences. */
  readonly unread: readonly string[];
  /** What is wrong, in one sentence; null: nothing is. */
  readonly problem: string | null;
  /** What the organization asks of this version of the agent; null: nothing. */
  readonly update: { readonly required: boolean; readonly sentence: string } | null;
  readonly fleet: string | null;
  readonly pinned_channel: string | null;
  readonly server: string | null;
  readonly device_id: string | null;
  readonly device_name: string | null;
  readonly account_name: string | null;
  readonly mode: 'enforce' | 'monitor' | null;
  readonly policy_version: string | null;
  readonly config_issued_at: string | null;
  readonly service_reachable: boolean | null;
  readonly channel_open: boolean;
  /** When this run of the agent last reported its state to the service; null: not yet. */
  readonly last_reported_at: string | null;
  readonly events_waiting: number;
  readonly events_dropped: number;
  readonly agent_version: string;
  readonly pid: number | null;
  readonly uptime_s: number;
}

/** One decision, as the window shows it. No text. */
export interface RecentDecision {
  readonly event_id: string;
  readonly at: string;
  readonly host: string;
  readonly direction: string;
  readonly decision: string;
  readonly done: string;
  readonly decided_by: string;
  readonly threat_type: string | null;
  /** Why it was decided otherwise than by what a text says, such as `blocked_tool` or `offline`. */
  readonly reason: string | null;
  /** Completes "because …"; null where it was let through as it was. */
  readonly why: string | null;
}

/** What the agent looks at on this computer, by the configuration that holds; null: there is none yet. */
export interface InspectionScope {
  readonly mode: 'enforce' | 'monitor';
  readonly fail_closed: boolean;
  /** Opened; `*.` stands for any name below. Everything else passes unread. */
  readonly hosts: readonly string[];
  readonly bypass_hosts: readonly string[];
  readonly blocked_tools: readonly string[];
}

/** What was asked for on this computer, newest first. */
export interface AgentRequests {
  readonly exceptions: readonly ExceptionRecord[];
  readonly tool_requests: readonly ToolRequestRecord[];
}

/** One thing that `doctor` looked at. */
export interface Finding {
  readonly name: string;
  /** `note`: nothing is wrong, but it is good to know. */
  readonly state: 'ok' | 'note' | 'fault';
  /** What is, and where it is wrong what to do. */
  readonly sentence: string;
}

export interface UnenrollReport {
  /** One line for each thing that is gone. */
  readonly done: readonly string[];
  /** One sentence for each that could not be removed. */
  readonly left: readonly string[];
}

/** What each method takes. */
export interface ControlParams {
  readonly status: null;
  readonly recent: null;
  readonly sight: null;
  readonly requests: null;
  readonly 'request-exception': CreateException;
  readonly 'request-tool': CreateToolRequest;
  /** Of either kind. */
  readonly 'cancel-request': { readonly id: string };
  readonly 'try-again': null;
  readonly stop: null;
}

export interface ControlResults {
  readonly status: AgentStatus;
  readonly recent: readonly RecentDecision[];
  readonly sight: InspectionScope | null;
  readonly requests: AgentRequests;
  readonly 'request-exception': ExceptionRecord;
  readonly 'request-tool': ToolRequestRecord;
  readonly 'cancel-request': ExceptionRecord | ToolRequestRecord;
  readonly 'try-again': null;
  readonly stop: null;
}

export type ControlMethod = keyof ControlResults;

/** JSON text frames. Every question is answered, by its id. */
export interface ControlQuestion {
  readonly id: number;
  readonly method: ControlMethod;
  /** Left out where the method takes nothing. */
  readonly params?: unknown;
}
export type ControlFrame =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly event: 'status'; readonly status: AgentStatus }
  | { readonly event: 'decision'; readonly decision: RecentDecision }
  /** A person asked it to stop: it is not started again automatically. */
  | { readonly event: 'stopping' }
  | { readonly event: 'request-decided'; readonly request: ExceptionRecord | ToolRequestRecord };

/** How to reach the agent that runs. In a file that only its owner may read, made anew at each start. */
export interface ControlAddress {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
}
