import type { DecidedBy, ThreatType } from '../contract/index.ts';
import type { Flow, PolicyFlow } from '../flow-control/index.ts';
import type { ToolCall } from '../providers/index.ts';

/** Tool calls that are about to be made. */
export interface Calls {
  readonly calls: readonly ToolCall[];
  /** How a reason names the call: as part of a response, or alone. */
  readonly subject: 'response' | 'call';
  readonly flowControl: 'off' | 'monitor' | 'review' | 'block';
  /** Reasons for a review that come from the session of the agent. */
  readonly concerns?: readonly string[];
}

/** Values of calls and where they come from. */
export interface Traces {
  readonly flows: readonly Flow[];
  readonly policyFlows: readonly PolicyFlow[];
}

/** What speaks against a tool call. */
export interface Hold {
  readonly call: ToolCall;
  readonly action: 'block' | 'review' | 'report';
  readonly source: 'list' | 'policy' | 'flow' | 'session';
  /** For a person; never contains a value of the call. */
  readonly reason: string;
  readonly threatType: ThreatType;
  /** Absent: the preset. */
  readonly decidedBy?: DecidedBy;
}
