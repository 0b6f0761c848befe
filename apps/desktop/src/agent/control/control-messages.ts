import type {
  CreateException,
  CreateToolRequest,
  ExceptionRecord,
  SupervisorState,
  ToolRequestRecord,
} from '@csg/shared/contract';

/** The output of `status --json`, also shown in the window. */
export interface AgentStatus {
  readonly enrolled: boolean;
  /** True if the agent process runs. */
  readonly running: boolean;
  /** `quiet` only after the proxy was seen to work; `stopped`: no agent runs. */
  readonly supervisor_state: SupervisorState | 'stopped';
  /** Null until the proxy was seen to work. */
  readonly proxy_port: number | null;
  readonly proxy_restarts: number;
  /** The device's root as PEM; null: there is none. */
  readonly ca_path: string | null;
  /** `on`: the computer's settings point to the proxy. `off`: they are left alone, as configured. */
  readonly system_proxy: 'on' | 'off' | 'not_set';
  /** True while the system proxy is not set because this computer does not trust the certificate: `ca install`. */
  readonly needs_trust: boolean;
  /** Hosts of the policy that are not read until an administrator has run `ca install`. */
  readonly needs_administrator: readonly string[];
  readonly revoked: boolean;
  /** Sentences about hosts that the policy inspects and whose traffic is currently not read or not reachable. */
  readonly unread: readonly string[];
  /** The current problem in one sentence; null if there is none. */
  readonly problem: string | null;
  /** The update that the organization requests; null if there is none. */
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
  /** Set if something other than a text decided, such as `blocked_tool` or `offline`. */
  readonly reason: string | null;
  /** Completes "because …"; null if the text was allowed unchanged. */
  readonly why: string | null;
}

/** What the agent inspects on this computer under the current configuration; null: there is none yet. */
export interface InspectionScope {
  readonly mode: 'enforce' | 'monitor';
  readonly fail_closed: boolean;
  /** Inspected hosts; `*.` matches any subdomain. All other traffic passes unread. */
  readonly hosts: readonly string[];
  readonly bypass_hosts: readonly string[];
  readonly blocked_tools: readonly string[];
}

/** Requests made from this computer, newest first. */
export interface AgentRequests {
  readonly exceptions: readonly ExceptionRecord[];
  readonly tool_requests: readonly ToolRequestRecord[];
}

/** One check of `doctor`. */
export interface Finding {
  readonly name: string;
  /** `note`: informational, nothing is wrong. */
  readonly state: 'ok' | 'note' | 'fault';
  /** The state, and if it is wrong how to fix it. */
  readonly sentence: string;
}

export interface UnenrollReport {
  /** One line for each removed item. */
  readonly done: readonly string[];
  /** One sentence for each item that could not be removed. */
  readonly left: readonly string[];
}

/** Parameters of each method. */
export interface ControlParams {
  readonly status: null;
  readonly recent: null;
  readonly sight: null;
  readonly requests: null;
  readonly 'request-exception': CreateException;
  readonly 'request-tool': CreateToolRequest;
  /** The id of an exception or a tool request. */
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

/** JSON text frames. Every question gets one answer with the same id. */
export interface ControlQuestion {
  readonly id: number;
  readonly method: ControlMethod;
  /** Omitted for methods without parameters. */
  readonly params?: unknown;
}
export type ControlFrame =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly event: 'status'; readonly status: AgentStatus }
  | { readonly event: 'decision'; readonly decision: RecentDecision }
  /** A user stopped the agent: it is not restarted automatically. */
  | { readonly event: 'stopping' }
  | { readonly event: 'request-decided'; readonly request: ExceptionRecord | ToolRequestRecord };

/** The address of the running agent, in a file that only its owner may read, created at each start. */
export interface ControlAddress {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
}
