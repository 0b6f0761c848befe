import type { RiskLevel } from '@csg/shared/contract';
import type { Hold, Verdict } from '@csg/shared/decision';
import { bareToolName, nameWords } from '@csg/shared/text';
import type { AgentHistory, SessionTaint } from '../../storage/storage.ts';
import type { InnerAddress } from './inner-addresses.ts';

/** What is known about an agent before its call is decided on. */
export interface AgentFacts {
  readonly toolName: string;
  readonly taints: readonly SessionTaint[];
  /** What a value's address reaches. */
  readonly innerAddress: InnerAddress | null;
  /** True if the agent works on the computer it runs on, whose own addresses are normal there. */
  readonly isCodeAssistant: boolean;
}

/** A call and what was decided about it. */
export interface DecidedCall extends AgentFacts {
  /** The verdict on the arguments; null if they could not be scanned and the project fails open. */
  readonly ofTexts: NonNullable<Verdict['ofTexts']> | null;
  /** What speaks against the call, the strictest first. */
  readonly holds: readonly Hold[];
  /** Why a call that needs a review cannot get one; null: it can. */
  readonly incomparable: string | null;
  readonly history: AgentHistory;
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

const INNER_ADDRESS: Readonly<Record<InnerAddress, string>> = {
  own: 'The arguments name a loopback or link-local address.',
  metadata: 'The arguments name the metadata service of a cloud, which gives out credentials.',
};
const RISK_OF_ADDRESS: Readonly<Record<InnerAddress, number>> = { own: 0.6, metadata: 0.9 };

/** Returns why the session of an agent demands a review of this call. */
export function concernsOf(facts: AgentFacts): readonly string[] {
  const threat = sendsOut(facts.toolName) ? facts.taints.find((taint) => taint.isThreat) : undefined;
  return [
    ...(facts.innerAddress === null || isExpected(facts) ? [] : [INNER_ADDRESS[facts.innerAddress]]),
    ...(threat === undefined
      ? []
      : [
          `The session has read content with a threat (${SOURCES[threat.source]}), and this tool sends data out.`,
        ]),
  ];
}

/** Agents that program reach the computer they work on. */
const isExpected = ({ innerAddress, isCodeAssistant }: AgentFacts): boolean =>
  innerAddress === 'own' && isCodeAssistant;

/** Returns how risky a call is, and the reasons for people. Pure; decides nothing. */
export function assessCall(decided: DecidedCall): CallAssessment {
  const { holds, incomparable } = decided;
  const reasonsOf = (isCounted: (hold: Hold) => boolean): string[] =>
    holds.filter(isCounted).map(({ reason }) => reason);
  const ofArguments = argumentReasons(decided);
  const reviewReason = holds.find(({ action }) => action === 'review')?.reason ?? null;
  const history = historyOf(decided);
  const isBlocked = decided.ofTexts?.decision === 'block';
  const score = Math.min(1, Math.max(BASE_RISK + history.risk, ...risksOf(decided)));
  const riskScore = Math.round(score * 100) / 100;
  return {
    ...{ riskScore, riskLevel: levelOf(riskScore), reviewReason, anomalies: history.anomalies },
    blockedReasons: [
      ...reasonsOf(({ action, source }) => action === 'block' && source === 'list'),
      ...(isBlocked ? ofArguments : []),
      ...reasonsOf(({ action, source }) => action === 'block' && source !== 'list'),
      ...(reviewReason === null || incomparable === null ? [] : [incomparable]),
    ],
    warnings: [
      ...(isBlocked ? [] : ofArguments),
      ...(isExpected(decided) ? [INNER_ADDRESS.own] : []),
      ...reasonsOf(({ action }) => action === 'report'),
      ...history.warnings,
    ],
  };
}

function argumentReasons({ ofTexts }: DecidedCall): readonly string[] {
  if (ofTexts === null) return ['The arguments could not be scanned; the project allows that.'];
  return ofTexts.threats.map(({ details }) => `In the arguments: ${details}`);
}

/** Returns the risk of each finding; the worst counts. */
function risksOf({ ofTexts, holds, innerAddress }: DecidedCall): readonly number[] {
  return [
    ofTexts === null ? 0.4 : riskOfTexts(ofTexts),
    ...holds.map(riskOfHold),
    innerAddress === null ? 0 : RISK_OF_ADDRESS[innerAddress],
  ];
}

function riskOfTexts({ decision, confidence, threats }: NonNullable<DecidedCall['ofTexts']>): number {
  if (decision === 'block') return 0.6 + 0.4 * confidence;
  if (decision === 'redact') return 0.45;
  return threats.length > 0 ? 0.3 : 0;
}

function riskOfHold({ source, action, decidedBy, reason }: Hold): number {
  if (source === 'session') return reason === INNER_ADDRESS.own ? RISK_OF_ADDRESS.own : 0.7;
  if (source !== 'list') return action === 'report' ? 0.4 : 0.7;
  if (action === 'review') return 0.4;
  return decidedBy?.id === 'blocked_tools' ? 0.8 : 0.6;
}

/** Sums small risks: haste, a new tool, a session that has read untrusted data. */
function historyOf({ history, taints, toolName }: DecidedCall) {
  const warnings: string[] = [];
  const anomalies: Anomaly[] = [];
  let risk = 0;
  if (history.recent >= BURST) {
    anomalies.push('burst');
    warnings.push(`The agent made ${history.recent} calls in the last minute.`);
    risk += 0.2;
  }
  if (history.total >= HABIT && history.ofTool === 0) {
    anomalies.push('new_tool');
    warnings.push('The agent has not used this tool before.');
    risk += 0.15;
  }
  if (taints.length > 0 && sendsOut(toolName)) {
    anomalies.push('tainted_outflow');
    if (taints.every((taint) => !taint.isThreat)) {
      warnings.push('The session has read untrusted data, and this tool sends data out.');
      risk += 0.25;
    }
  }
  return { warnings, anomalies, risk };
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
