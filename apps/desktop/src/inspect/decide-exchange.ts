import type { Decision, Direction, ThreatType, Unscanned } from '@csg/shared/contract';
import type { BlockReply } from '@csg/shared/dialects';
import type { Replacement } from '@csg/shared/text';
import { blockReplyOf } from './block-reply.ts';
import { type CompiledPolicy, countingExceptions } from './compile-policy.ts';
import { type DeviceVerdict, decideTexts } from './decide-texts.ts';
import type { DecisionEvent, DecisionReason, EventFinding } from './decision-event.ts';
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
    'dialect' | 'slots' | 'unscanned' | 'files' | 'stream' | 'fault' | 'isAmbiguous'
  >;
  /** Null: there was nothing to ask about. */
  readonly question: GuardQuestion | null;
  /** Null: the service was not asked. */
  readonly outcome: GuardOutcome | null;
  readonly nowMs: number;
  /** For decisions made here. */
  readonly newEventId: string;
}

type Facts = Omit<ExchangeFacts, 'question' | 'outcome'>;

interface Judgement {
  readonly decision: Decision;
  readonly by: DecisionEvent['decidedBy'];
  readonly eventId: string;
  readonly threatType: ThreatType | null;
  readonly confidence: number;
  readonly findings: readonly EventFinding[];
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
  readonly reason: DecisionReason | null;
  readonly note: string | null;
  readonly exceptionId: string | null;
}

/** As many as the service takes with an event. */
const MAX_FINDINGS = 100;
const MAX_PATH = 256;

/**
 * From what is known about a request or an answer to what becomes of it. The service's verdict counts; without one
 * the engine on the device judges by the same policy; `failClosed` decides only what neither could read.
 */
export function decideExchange(compiled: CompiledPolicy, facts: ExchangeFacts): Action {
  return actionOf(compiled, facts, judge(compiled, facts));
}

/** The same for a verdict that the engine on the device has reached already, such as on a stream. */
export function decideVerdict(compiled: CompiledPolicy, verdict: DeviceVerdict, facts: Facts): Action {
  return actionOf(compiled, facts, judgementOf(verdict, facts));
}

function actionOf(compiled: CompiledPolicy, facts: Facts, judged: Judgement): Action {
  const eventWith = (done: DecisionEvent['done']): DecisionEvent => eventOf(compiled, facts, judged, done);
  if (judged.decision === 'allow' || compiled.policy.mode === 'monitor') {
    const isRoutine = judged.decision === 'allow' && judged.reason === null;
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
  const { reading, outcome, question } = facts;
  if (compiled.isBlockedTool(facts.host)) {
    return refusal(compiled, facts, 'blocked_tool', 'This tool may not be used.');
  }
  if (reading.isAmbiguous) {
    return refusal(compiled, facts, 'ambiguous', `It cannot be read for certain: ${reading.fault}`);
  }
  if (outcome?.kind === 'verdict') {
    const fromCloud = cloudJudgement(facts, outcome.response);
    if (fromCloud !== null) {
      const unscanned = unscannedBy(reading, outcome.response.unscanned);
      return withUnread(compiled, { ...facts, reading: { ...reading, unscanned } }, fromCloud);
    }
  }
  if (question === null) return withUnread(compiled, facts, own(facts, {}));
  const { slots } = reading;
  const model = question?.request.model ?? null;
  const verdict = decideTexts(compiled, slots, facts.direction, facts.host, facts.nowMs, model);
  const judged = judgementOf(verdict, facts);
  if (outcome?.kind !== 'no-answer' || judged.reason !== null) return withUnread(compiled, facts, judged);
  const note = `The service gave no verdict (${outcome.reason}); the device decided.`;
  return withUnread(compiled, facts, { ...judged, reason: 'offline', note });
}

/** What neither could read: of the files that were sent along, what the service says. */
function unscannedBy(
  { unscanned, files }: ExchangeFacts['reading'],
  there: readonly Unscanned[],
): readonly Unscanned[] {
  if (files.length === 0) return unscanned;
  const sent = new Set(files.map(({ notice }) => notice));
  return [...unscanned.filter((one) => !sent.has(one)), ...there];
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
  const exceptionId = response.exception_ids?.[0] ?? null;
  return {
    decision: response.decision,
    by: 'cloud',
    eventId: response.event_id,
    threatType: response.threat_type,
    confidence: response.confidence,
    findings: [],
    replacements,
    reason: exceptionId === null ? null : 'exception',
    note: null,
    exceptionId,
  };
}

function judgementOf(
  { verdict, exceptionId }: DeviceVerdict,
  facts: Pick<Facts, 'newEventId' | 'reading'>,
): Judgement {
  const { dialect, slots } = facts.reading;
  return {
    decision: verdict.decision,
    by: 'device',
    eventId: facts.newEventId,
    threatType: verdict.threatType,
    confidence: verdict.confidence,
    findings: verdict.findings.slice(0, MAX_FINDINGS).map(({ slot, rule, type, start, end, confidence }) => {
      const path = dialect === null ? '' : (slots[slot]?.path ?? '').slice(0, MAX_PATH);
      return { rule, type, path: path.startsWith('#') ? '' : path, start, end, confidence };
    }),
    replacements: verdict.replacements,
    reason: exceptionId === null ? null : 'exception',
    note: null,
    exceptionId,
  };
}

function own(facts: Pick<Facts, 'newEventId'>, part: Partial<Judgement>): Judgement {
  return {
    decision: 'allow',
    by: 'device',
    eventId: facts.newEventId,
    threatType: null,
    confidence: 0,
    findings: [],
    replacements: new Map(),
    reason: null,
    note: null,
    exceptionId: null,
    ...part,
  };
}

/** By the policy alone, whatever a text says; an exception for this host that names it lets it through. */
function refusal(compiled: CompiledPolicy, facts: Facts, reason: DecisionReason, note: string): Judgement {
  const exception = countingExceptions(compiled.policy, facts.host, facts.nowMs).find(({ threats }) =>
    threats.includes('custom_policy'),
  );
  if (exception !== undefined) {
    return own(facts, { by: 'policy', reason: 'exception', note, exceptionId: exception.id });
  }
  return own(facts, {
    by: 'policy',
    decision: 'block',
    threatType: 'custom_policy',
    confidence: 1,
    reason,
    note,
  });
}

/** The one place where a device fails open or closed. */
function withUnread(compiled: CompiledPolicy, facts: ExchangeFacts, judged: Judgement): Judgement {
  const { fault, unscanned } = facts.reading;
  // What a vendor sealed for itself it alone can read.
  const unread = fault ?? unscanned.find(({ reason }) => reason !== 'encrypted')?.detail ?? null;
  if (unread === null || judged.decision === 'block') return judged;
  if (compiled.policy.failClosed) {
    return refusal(compiled, facts, 'unread', `It could not be read: ${unread}`);
  }
  // What the service judged it has on record; that a part was not read it does not know.
  const id = judged.by === 'cloud' ? { by: 'policy' as const, eventId: facts.newEventId } : {};
  return { ...judged, ...id, reason: 'unread', note: `Passed without being read: ${unread}` };
}

function eventOf(
  compiled: CompiledPolicy,
  facts: Facts,
  judged: Judgement,
  done: DecisionEvent['done'],
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
    reason: judged.reason,
    note: judged.note,
    policyVersion: compiled.policy.policyVersion,
    findings: judged.findings,
    exceptionId: judged.exceptionId,
  };
}
