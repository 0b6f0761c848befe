import type { DecidedBy, RiskLevel, ThreatType } from '@csg/shared/contract';
import type { Verdict } from '@csg/shared/detection';
import { bareToolName, nameWords, type ToolListing } from '@csg/shared/text';
import type { AgentHistory, SessionTaint } from '../../storage/storage.ts';

/** Facts about one tool call. */
export interface CallFacts {
  readonly toolName: string;
  readonly listing: ToolListing;
  /** Verdict on the arguments; null if they could not be scanned and the project fails open. */
  readonly verdict: Verdict | null;
  readonly history: AgentHistory;
  readonly taints: readonly SessionTaint[];
  /** False if an approval of another call could be mistaken for an approval of this one. */
  readonly isComparable: boolean;
  /** True if a value names a loopback or link-local address. */
  readonly namesInnerAddress: boolean;
  /** True if the agent works on the computer it runs on, where such addresses are normal. */
  readonly isCodeAssistant: boolean;
  /** A value that occurs only in untrusted data, and the project's action for it; null if there is none. */
  readonly flow: {
    readonly action: 'monitor' | 'review' | 'block';
    readonly reason: string;
    readonly threatType: ThreatType;
    readonly decidedBy: DecidedBy;
  } | null;
}

export interface CallAssessment {
  /** 0..1, two decimal places. */
  readonly riskScore: number;
  readonly riskLevel: RiskLevel;
  readonly blockedReasons: readonly string[];
  readonly warnings: readonly string[];
  readonly anomalies: readonly Anomaly[];
  /** Why a person has to decide; null if no review is needed. */
  readonly reviewReason: string | null;
}

export type Anomaly = 'burst' | 'new_tool' | 'tainted_outflow';

/** Calls per minute from which on an agent acts faster than people do. */
const BURST = 30;
/** Calls after which an agent has a history to compare with. */
const HABIT = 20;
const BASE_RISK = 0.05;

/** Reason for a call that needs approval. */
export const INCOMPARABLE =
  'The call needs approval, but a number in its arguments has too many digits to compare it with an approval.';

/** Intermediate result of the steps below. */
interface Findings {
  readonly blockedReasons: string[];
  readonly warnings: string[];
  readonly anomalies: Anomaly[];
  reviewReason: string | null;
  /** Sum of small risks. */
  added: number;
  /** Risk of the worst finding. */
  least: number;
}

/** Assesses how risky a call is, and why. Pure function. */
export function assessCall(facts: CallFacts): CallAssessment {
  const found: Findings = {
    blockedReasons: [],
    warnings: [],
    anomalies: [],
    reviewReason: null,
    added: BASE_RISK,
    least: 0,
  };
  assessListing(facts, found);
  assessArguments(facts, found);
  assessFlow(facts, found);
  assessHistory(facts, found);
  assessTaints(facts, found);
  const { blockedReasons, warnings, anomalies, reviewReason, added, least } = found;
  if (reviewReason !== null && !facts.isComparable) blockedReasons.push(INCOMPARABLE);
  const riskScore = Math.round(Math.min(1, Math.max(added, least)) * 100) / 100;
  return { riskScore, riskLevel: levelOf(riskScore), blockedReasons, warnings, anomalies, reviewReason };
}

function assessListing({ listing }: CallFacts, found: Findings): void {
  if (listing === 'blocked') {
    found.blockedReasons.push('The tool is on the list of blocked tools.');
    found.least = 0.8;
  } else if (listing === 'not_allowed') {
    found.blockedReasons.push('The tool is not on the list of allowed tools.');
    found.least = 0.6;
  } else if (listing === 'review') {
    found.reviewReason = 'The tool is on the list of tools that need approval.';
    found.least = 0.4;
  }
}

function assessArguments(facts: CallFacts, found: Findings): void {
  const { verdict } = facts;
  if (verdict === null) {
    found.warnings.push('The arguments could not be scanned; the project allows that.');
    found.least = Math.max(found.least, 0.4);
  } else {
    const reasons = verdict.decision === 'block' ? found.blockedReasons : found.warnings;
    for (const threat of verdict.threats) reasons.push(`In the arguments: ${threat.details}`);
    found.least = Math.max(found.least, riskOf(verdict));
  }
  if (!facts.namesInnerAddress) return;
  const reason = 'The arguments name a loopback or link-local address.';
  found.least = Math.max(found.least, 0.6);
  if (facts.isCodeAssistant) found.warnings.push(reason);
  else found.reviewReason ??= reason;
}

function riskOf({ decision, confidence, threats }: NonNullable<CallFacts['verdict']>): number {
  if (decision === 'block') return 0.6 + 0.4 * confidence;
  if (decision === 'redact') return 0.45;
  return threats.length > 0 ? 0.3 : 0;
}

function assessFlow({ flow }: CallFacts, found: Findings): void {
  if (flow === null) return;
  if (flow.action === 'block') found.blockedReasons.push(flow.reason);
  else if (flow.action === 'review') found.reviewReason ??= flow.reason;
  else found.warnings.push(flow.reason);
  found.least = Math.max(found.least, flow.action === 'monitor' ? 0.4 : 0.7);
}

function assessHistory({ history }: CallFacts, found: Findings): void {
  if (history.recent >= BURST) {
    found.anomalies.push('burst');
    found.warnings.push(`The agent made ${history.recent} calls in the last minute.`);
    found.added += 0.2;
  }
  if (history.total >= HABIT && history.ofTool === 0) {
    found.anomalies.push('new_tool');
    found.warnings.push('The agent has not used this tool before.');
    found.added += 0.15;
  }
}

function assessTaints({ taints, toolName }: CallFacts, found: Findings): void {
  if (taints.length === 0 || !sendsOut(toolName)) return;
  found.anomalies.push('tainted_outflow');
  const threat = taints.find((taint) => taint.isThreat);
  if (threat === undefined) {
    found.warnings.push('The session has read untrusted data, and this tool sends data out.');
    found.added += 0.25;
  } else {
    found.reviewReason ??= `The session has read content with a threat (${SOURCES[threat.source]}), and this tool sends data out.`;
    found.least = Math.max(found.least, 0.7);
  }
}

const SOURCES: Readonly<Record<SessionTaint['source'], string>> = {
  guard: 'a message or document it scanned',
  scrape: 'a page it fetched',
  tool: 'the result of a tool',
};

export function levelOf(score: number): RiskLevel {
  if (score < 0.2) return 'safe';
  if (score < 0.4) return 'low';
  if (score < 0.6) return 'medium';
  return score < 0.8 ? 'high' : 'critical';
}

const OUTGOING = new Set([
  ...['send', 'post', 'put', 'upload', 'publish', 'share', 'forward', 'submit', 'push', 'export', 'transfer'],
  ...['email', 'mail', 'sms', 'message', 'tweet', 'notify', 'webhook', 'http', 'https', 'request', 'fetch'],
  ...['curl', 'wget', 'pay', 'browse', 'navigate', 'reply', 'comment'],
]);

/** Returns whether the tool's name suggests that it sends data to others: `gmail.sendDraft`, `slack__post_message`. */
export function sendsOut(toolName: string): boolean {
  return nameWords(bareToolName(toolName)).some((word) => OUTGOING.has(word));
}
