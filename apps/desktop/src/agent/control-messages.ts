import type { SupervisorState } from '@csg/shared/contract';

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
  readonly revoked: boolean;
  /** What is wrong, in one sentence; null: nothing is. */
  readonly problem: string | null;
  readonly server: string | null;
  readonly device_id: string | null;
  readonly device_name: string | null;
  readonly account_name: string | null;
  readonly mode: 'enforce' | 'monitor' | null;
  readonly policy_version: string | null;
  readonly config_issued_at: string | null;
  readonly service_reachable: boolean | null;
  readonly channel_open: boolean;
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
}

export const CONTROL_METHODS = ['status', 'recent', 'try-again', 'stop'] as const;
export type ControlMethod = (typeof CONTROL_METHODS)[number];

export interface ControlAnswers {
  readonly status: AgentStatus;
  readonly recent: readonly RecentDecision[];
  readonly 'try-again': null;
  readonly stop: null;
}

/** JSON text frames. Every question is answered, by its id. */
export interface ControlQuestion {
  readonly id: number;
  readonly method: ControlMethod;
}
export type ControlFrame =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly event: 'status'; readonly status: AgentStatus }
  | { readonly event: 'decision'; readonly decision: RecentDecision };

/** How to reach the agent that runs. In a file that only its owner may read, made anew at each start. */
export interface ControlAddress {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
}
