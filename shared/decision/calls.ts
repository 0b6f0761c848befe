import type { DecidedBy, ThreatType } from '../contract/index.ts';
import type { Flow, FlowSource, PolicyFlow } from '../flow-control/index.ts';
import type { CallReading, ToolCall } from '../providers/index.ts';
import type { ToolListing } from '../text/index.ts';

/** Tool calls that are about to be made. */
export interface Calls {
  readonly calls: readonly ToolCall[];
  /** The request that they answer, which defines the tools. */
  readonly request?: unknown;
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
  readonly call: CallReading;
  readonly action: 'block' | 'review' | 'report';
  readonly source: 'list' | 'policy' | 'flow' | 'reading' | 'session';
  /** For a person; never contains a value of the call. */
  readonly reason: string;
  readonly threatType: ThreatType;
  /** Absent: the preset. */
  readonly decidedBy?: DecidedBy;
  /** Where the values of the call come from that speak against it. */
  readonly sources?: readonly FlowSource[];
}

/** What lists say about tools. */
export interface Listings {
  readonly of: (tool: string) => ToolListing;
  /** The first list that the project uses; null: it uses none. */
  readonly first: ListName | null;
}

/** The project fields with lists of tools. */
export type ListName = 'blocked_tools' | 'allowed_tools' | 'review_required_tools';
