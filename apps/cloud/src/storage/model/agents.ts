import type { ToolLists, ToolReviewStatus } from '@csg/shared/contract';
import { bytes, hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** Tool name lists of a project. */
export interface ToolListStore {
  /** null: the project has no lists of its own. */
  get(organizationId: string, projectId: string): Promise<ToolLists | null>;
  set(organizationId: string, projectId: string, lists: ToolLists): Promise<void>;
}

/** One validated tool call, without its arguments. */
export interface AgentCall {
  /** Id of the event. */
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

/** Number of calls of an agent: in total, of this tool, and recent ones. */
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
  /** `recentMs`: calls from this time on are recent. */
  history(organizationId: string, agentId: string, toolName: string, recentMs: number): Promise<AgentHistory>;
  totals(organizationId: string, agentId: string): Promise<AgentTotals>;
  /** Deletes older calls of all organizations, with their taints and reviews. */
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
  /** Stored once for each source; later taint without a threat does not clear a threat. */
  note(organizationId: string, sessionId: string, taint: SessionTaint): Promise<void>;
  list(organizationId: string, sessionId: string): Promise<readonly SessionTaint[]>;
}

/** A tool call that awaits a decision by a person, or has one. */
export const toolReviewTable = table({
  id: text,
  projectId: orNull(text),
  requestedBy: text,
  requesterUserId: orNull(text),
  agentId: text,
  sessionId: orNull(text),
  toolName: text,
  reason: text,
  /** The current status: `expired` from `expiresAtMs` on. */
  status: word<ToolReviewStatus>(),
  decidedBy: orNull(text),
  decisionReason: orNull(text),
  decidedAtMs: orNull(number),
  createdAtMs: number,
  expiresAtMs: number,
  /** The event whose decision held the call; null: stored by a version that did not record it. */
  eventId: orNull(text),
  organizationId: hidden(text),
  /** Keyed hash of the whole call in a canonical form. */
  callHash: hidden(text),
  sealedArguments: hidden(orNull(bytes)),
});
export type ToolReview = RecordOf<typeof toolReviewTable> & {
  /** The arguments of the call; null: not stored. */
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
  /** The whole call in a canonical form; stored as a keyed hash. */
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
  /** Returns an unexpired review of exactly this call, in any of these forms: preferably approved, else the newest. */
  findOpen(organizationId: string, calls: readonly string[]): Promise<ToolReview | null>;
  countPending(organizationId: string, requestedBy: string): Promise<number>;
  /** null: it is not pending. */
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
  /** Uses up an approval: true for one caller only. */
  use(organizationId: string, reviewId: string): Promise<boolean>;
}
