import type { ToolLists } from '@csg/shared/contract';

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
