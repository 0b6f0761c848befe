import type { ToolLists, ToolReviewStatus } from '@csg/shared/contract';
import { bytes, hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** Lists of tool names that a project keeps. */
export interface ToolListStore {
  /** Null where the project has none of its own. */
  get(organizationId: string, projectId: string): Promise<ToolLists | null>;
  set(organizationId: string, projectId: string, lists: ToolLists): Promise<void>;
}

/** One validated tool call, without its arguments. */
export interface AgentCall {
  /** The event's id. */
  readonly id: string;
  readonly projectId: string | null;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly toolName: string;
  readonly isAllowed: boolean;
  readonly riskScore: number;
  readonly anomalies: readonly string[];
  readonly atMs: number;
}

/** How often an agent called at all, this tool, and lately. */
export interface AgentHistory {
  readonly total: number;
  readonly ofTool: number;
  readonly recent: number;
}

export interface AgentTotals {
  readonly calls: number;
  readonly blocked: number;
  readonly meanRisk: number;
  readonly anomalies: number;
}

export interface AgentCalls {
  insert(organizationId: string, call: AgentCall): Promise<void>;
  /** `recentMs`: from when on a call is a recent one. */
  history(organizationId: string, agentId: string, toolName: string, recentMs: number): Promise<AgentHistory>;
  totals(organizationId: string, agentId: string): Promise<AgentTotals>;
  /** Deletes what is older, of all organizations, and taints and reviews with it. */
  prune(beforeMs: number): Promise<void>;
}

/** The untrusted data that a session has read. */
export interface SessionTaint {
  readonly source: 'guard' | 'scrape' | 'tool';
  /** A threat was found in it. */
  readonly isThreat: boolean;
  readonly atMs: number;
}

export interface SessionTaints {
  /** Kept once for each source; a threat is never forgotten for less. */
  note(organizationId: string, sessionId: string, taint: SessionTaint): Promise<void>;
  list(organizationId: string, sessionId: string): Promise<readonly SessionTaint[]>;
}

/** A tool call that waits for a person, or was decided. */
export const toolReviewTable = table({
  id: text,
  projectId: orNull(text),
  requestedBy: text,
  requesterUserId: orNull(text),
  agentId: text,
  sessionId: orNull(text),
  toolName: text,
  reason: text,
  /** As it counts now: one whose time is over is `expired`. */
  status: word<ToolReviewStatus>(),
  decidedBy: orNull(text),
  decisionReason: orNull(text),
  decidedAtMs: orNull(number),
  createdAtMs: number,
  expiresAtMs: number,
  /** The decision that held the call; null: stored before this was known. */
  eventId: orNull(text),
  organizationId: hidden(text),
  /** Keyed hash of the whole call in one spelling. */
  callHash: hidden(text),
  sealedArguments: hidden(orNull(bytes)),
});
export type ToolReview = RecordOf<typeof toolReviewTable> & {
  /** What the tool would be called with; null: it is not stored. */
  readonly arguments: object | null;
};

export type NewToolReview = Pick<
  ToolReview,
  | 'projectId'
  | 'requestedBy'
  | 'requesterUserId'
  | 'agentId'
  | 'sessionId'
  | 'toolName'
  | 'reason'
  | 'expiresAtMs'
  | 'arguments'
> & {
  /** The whole call in one spelling; kept as a keyed hash. */
  readonly call: string;
  readonly eventId?: string;
};

export interface ToolReviews {
  insert(organizationId: string, review: NewToolReview): Promise<ToolReview>;
  get(organizationId: string, reviewId: string): Promise<ToolReview | null>;
  /** Newest first. */
  list(
    organizationId: string,
    options?: { readonly status?: 'pending'; readonly limit?: number },
  ): Promise<readonly ToolReview[]>;
  /** One of this very call that still counts, whichever of these spellings it has: an approved one, else the newest. */
  findOpen(organizationId: string, calls: readonly string[]): Promise<ToolReview | null>;
  countPending(organizationId: string, requestedBy: string): Promise<number>;
  /** Null unless it waits. */
  decide(
    organizationId: string,
    reviewId: string,
    verdict: {
      readonly approve: boolean;
      readonly decidedBy: string;
      readonly reason: string | null;
      readonly expiresAtMs: number;
    },
  ): Promise<ToolReview | null>;
  /** Spends an approval: true for one caller only. */
  use(organizationId: string, reviewId: string): Promise<boolean>;
}
