import type { Decision, Direction, ThreatType } from '@csg/shared/contract';
import { decide, scan, type Verdict } from '@csg/shared/detection';
import type { BlockReply } from '@csg/shared/dialects';
import type { Replacement, TextSlot } from '@csg/shared/text';
import { blockReplyOf } from './block-reply.ts';
import { type CompiledPolicy, isExcepted } from './compile-policy.ts';
import type { DecisionEvent } from './decision-event.ts';
import type { GuardOutcome } from './device-policy.ts';
import { type GuardQuestion, replacementsOf } from './guard-exchange.ts';
import type { RequestReading } from './request-reading.ts';

/** What the proxy does. `event` is null where nothing is worth a record: nothing read, or allowed by the service. */
export type Action =
  | { readonly kind: 'forward'; readonly event: DecisionEvent | null }
  | {
      readonly kind: 'redact';
      readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
      readonly event: DecisionEvent;
    }
  | { readonly kind: 'block'; readonly reply: BlockReply; readonly event: DecisionEvent };

export interface ExchangeFacts {
  readonly host: string;
  readonly path: string;
  readonly method: string;
  readonly direction: Direction;
  readonly reading: Pick<
    RequestReading,
    'dialect' | 'slots' | 'unscanned' | 'stream' | 'fault' | 'isAmbiguous'
  >;
  /** Null: there was nothing to ask about. */
  readonly question: GuardQuestion | null;
  /** Null: the service was not asked. */
  readonly outcome: GuardOutcome | null;
  readonly nowMs: number;
  /** For decisions made here. */
  readonly newEventId: string;
}

interface Judgement {
  readonly decision: Decision;
  readonly by: DecisionEvent['decidedBy'];
  readonly eventId: string;
  readonly threatType: ThreatType | null;
  readonly confidence: number;
  readonly rules: readonly string[];
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
  readonly note: string | null;
}

/**
 * From what is known about a request or an answer to what becomes of it. The service's verdict counts; without one
 * the engine on the device judges by the same policy; `failClosed` decides only what neither could read.
 */
export function decideExchange(compiled: CompiledPolicy, facts: ExchangeFacts): Action {
  return actionOf(compiled, facts, judge(compiled, facts));
}

/** The same for a verdict that the engine on the device has reached already, such as on a stream. */
export function decideVerdict(
  compiled: CompiledPolicy,
  verdict: Verdict,
  facts: Omit<ExchangeFacts, 'question' | 'outcome'>,
): Action {
  return actionOf(compiled, facts, judgementOf(verdict, facts, null));
}

function actionOf(
  compiled: CompiledPolicy,
  facts: Omit<ExchangeFacts, 'question' | 'outcome'>,
  judged: Judgement,
): Action {
  const { policy } = compiled;
  const excepted =
    judged.decision !== 'allow' && isExcepted(policy, facts.host, judged.threatType, facts.nowMs);
  const enforced = policy.mode === 'enforce' && !excepted;
  const eventWith = (done: DecisionEvent['done']): DecisionEvent =>
    eventOf(compiled, facts, judged, done, excepted);
  if (!enforced || judged.decision === 'allow') {
    const isRoutine = judged.decision === 'allow' && judged.note === null;
    return { kind: 'forward', event: isRoutine ? null : eventWith('forwarded') };
  }
  if (judged.decision === 'redact' && facts.direction === 'input') {
    return { kind: 'redact', replacements: judged.replacements, event: eventWith('redacted') };
  }
  // What a policy only wants masked in an answer is reported and passes: answers are never rewritten.
  if (judged.decision === 'redact') return { kind: 'forward', event: eventWith('forwarded') };
  return blockExchange(compiled, facts, eventWith('blocked'));
}

/** A refusal with an event of the caller's: also for what could not be written after it was decided. */
export function blockExchange(
  compiled: CompiledPolicy,
  facts: Pick<ExchangeFacts, 'reading' | 'direction'>,
  event: DecisionEvent,
): Action {
  return {
    kind: 'block',
    reply: blockReplyOf(compiled.policy, facts.reading.dialect, facts.direction, event),
    event,
  };
}

function judge(compiled: CompiledPolicy, facts: ExchangeFacts): Judgement {
  if (compiled.isBlockedTool(facts.host)) {
    return own(facts, 'policy', 'block', 'custom_policy', 'This tool may not be used.');
  }
  const { reading, outcome, question } = facts;
  if (reading.isAmbiguous) {
    return own(facts, 'policy', 'block', 'custom_policy', `It cannot be read for certain: ${reading.fault}`);
  }
  const unread = reading.fault ?? null;
  if (outcome?.kind === 'verdict') {
    const fromCloud = cloudJudgement(facts, outcome.response);
    if (fromCloud !== null) return withUnread(compiled, facts, fromCloud, unread);
  }
  if (question === null) {
    return withUnread(compiled, facts, own(facts, 'device', 'allow', null, null), unread);
  }
  const note =
    outcome?.kind === 'no-answer'
      ? `The service gave no verdict (${outcome.reason}); the device decided.`
      : null;
  return withUnread(compiled, facts, deviceJudgement(compiled, facts, note), unread);
}

function cloudJudgement(
  { question, reading }: ExchangeFacts,
  response: Extract<GuardOutcome, { kind: 'verdict' }>['response'],
): Judgement | null {
  const replacements =
    response.decision === 'redact' && question !== null
      ? replacementsOf(question, reading.slots, response)
      : new Map<number, readonly Replacement[]>();
  if (replacements === null) return null;
  return {
    decision: response.decision,
    by: 'cloud',
    eventId: response.event_id,
    threatType: response.threat_type,
    confidence: response.confidence,
    rules: [],
    replacements,
    note: null,
  };
}

function deviceJudgement(compiled: CompiledPolicy, facts: ExchangeFacts, note: string | null): Judgement {
  const { slots } = facts.reading;
  const verdict = decide(
    scan(slots as TextSlot[], compiled.ruleset, facts.direction),
    compiled.ruleset,
    facts.direction,
  );
  return judgementOf(verdict, facts, note);
}

function judgementOf(
  verdict: Verdict,
  facts: Pick<ExchangeFacts, 'newEventId'>,
  note: string | null,
): Judgement {
  return {
    decision: verdict.decision,
    by: 'device',
    eventId: facts.newEventId,
    threatType: verdict.threatType,
    confidence: verdict.confidence,
    rules: [...new Set(verdict.findings.map((finding) => finding.rule))],
    replacements: verdict.replacements,
    note,
  };
}

function own(
  facts: ExchangeFacts,
  by: 'device' | 'policy',
  decision: Decision,
  threatType: ThreatType | null,
  note: string | null,
): Judgement {
  const eventId = facts.newEventId;
  return {
    decision,
    by,
    eventId,
    threatType,
    confidence: decision === 'allow' ? 0 : 1,
    rules: [],
    replacements: new Map(),
    note,
  };
}

/** The one place where a device fails open or closed. */
function withUnread(
  compiled: CompiledPolicy,
  facts: ExchangeFacts,
  judged: Judgement,
  unread: string | null,
): Judgement {
  if (unread === null || judged.decision === 'block') return judged;
  if (!compiled.policy.failClosed) return { ...judged, note: `Passed without being read: ${unread}` };
  return own(facts, 'policy', 'block', 'custom_policy', `It could not be read: ${unread}`);
}

function eventOf(
  compiled: CompiledPolicy,
  facts: Omit<ExchangeFacts, 'question' | 'outcome'>,
  judged: Judgement,
  done: DecisionEvent['done'],
  isException: boolean,
): DecisionEvent {
  return {
    eventId: judged.eventId,
    atMs: facts.nowMs,
    host: facts.host,
    path: facts.path.split('?', 1)[0] ?? '',
    method: facts.method,
    direction: facts.direction,
    decision: judged.decision,
    done,
    decidedBy: judged.by,
    threatType: judged.threatType,
    confidence: judged.confidence,
    note: judged.note,
    policyVersion: compiled.policy.policyVersion,
    rules: judged.rules,
    isException,
  };
}
