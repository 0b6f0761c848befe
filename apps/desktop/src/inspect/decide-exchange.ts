import type { Decision, Direction, ThreatType, Unscanned } from '@csg/shared/contract';
import type { BlockReply } from '@csg/shared/dialects';
import type { Replacement } from '@csg/shared/text';
import { blockReplyOf } from './block-reply.ts';
import { type CompiledPolicy, countingExceptions } from './compile-policy.ts';
import { type DeviceVerdict, decideTexts } from './decide-texts.ts';
import type { DecisionEvent, DecisionReason, EventFinding } from './decision-event.ts';
import type { GuardOutcome } from './device-policy.ts';
import { type JudgedThere, judgedThere, type VerdictThere } from './judged-there.ts';
import type { Turn } from './plan-turn.ts';
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
    'dialect' | 'slots' | 'unscanned' | 'files' | 'model' | 'stream' | 'fault' | 'isAmbiguous'
  >;
  /** Null: there was nothing to ask about. */
  readonly turn: Turn | null;
  /** What the service said to the parts of the turn, in their order, as far as it was asked. Null: there is none. */
  readonly outcomes: readonly GuardOutcome[] | null;
  readonly nowMs: number;
  /** For decisions made here. */
  readonly newEventId: string;
}

type Facts = Omit<ExchangeFacts, 'turn' | 'outcomes'>;

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

const SEVERITY: Readonly<Record<Decision, number>> = { allow: 0, redact: 1, block: 2 };
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
  const { reading, turn, outcomes } = facts;
  if (compiled.isBlockedTool(facts.host)) {
    return refusal(compiled, facts, 'blocked_tool', 'This tool may not be used.');
  }
  if (reading.isAmbiguous) {
    return refusal(compiled, facts, 'ambiguous', `It cannot be read for certain: ${reading.fault}`);
  }
  if (turn === null) return withUnread(compiled, facts, own(facts, {}));
  const there = judgedThere(turn, outcomes ?? [], reading.slots);
  const unread = { ...facts, reading: { ...reading, unscanned: unscannedBy(facts, there) } };
  return withUnread(compiled, unread, joinJudgements(compiled, facts, turn, there));
}

/** What neither could read: of the files that were sent along, what the service says. */
function unscannedBy(
  { reading, turn }: ExchangeFacts,
  { files, unscanned }: JudgedThere,
): readonly Unscanned[] {
  const read = new Set([...files, ...(turn?.knownFiles ?? [])].map(({ notice }) => notice));
  return [...reading.unscanned.filter((one) => !read.has(one)), ...unscanned];
}

/** The strictest of what the service says now, what it said before, and what the device says of the rest. */
function joinJudgements(
  compiled: CompiledPolicy,
  facts: ExchangeFacts,
  turn: Turn,
  there: JudgedThere,
): Judgement {
  const here = judgeRest(compiled, facts, turn, there);
  const all = [
    ...there.verdicts.map(cloudJudgement),
    ...(here === null ? [] : [here]),
    earlier(facts, turn, there),
  ];
  const strictest = all.reduce((most, one) =>
    SEVERITY[one.decision] > SEVERITY[most.decision] ? one : most,
  );
  if (strictest.decision === 'block') return strictest;
  const { decision, threatType, confidence } = strictest;
  const replacements = new Map(all.flatMap((one) => [...one.replacements]));
  // What the device took part in it has to report itself; the service has its own part on record.
  const base = here ?? strictest;
  const excused = all.find(({ exceptionId }) => exceptionId !== null);
  return {
    ...base,
    decision,
    threatType,
    confidence,
    replacements,
    reason: base.reason ?? excused?.reason ?? null,
    exceptionId: base.exceptionId ?? excused?.exceptionId ?? null,
  };
}

/** The texts that the service has not judged, by the engine on the device; null where there are none. */
function judgeRest(
  compiled: CompiledPolicy,
  facts: ExchangeFacts,
  turn: Turn,
  there: JudgedThere,
): Judgement | null {
  const { reading, outcomes } = facts;
  const judged = new Set([...there.slots, ...turn.known.keys()]);
  const isAnswered = there.verdicts.length === turn.parts.length;
  if (isAnswered && turn.tooLarge.length === 0) return null;
  const model = reading.model;
  const verdict = decideTexts(
    compiled,
    reading.slots,
    facts.direction,
    facts.host,
    facts.nowMs,
    model,
    judged,
  );
  const here = judgementOf(verdict, facts);
  const silence = outcomes?.find((outcome) => outcome.kind === 'no-answer');
  if (silence !== undefined && turn.blockedBefore !== null && here.exceptionId === null) {
    const note = `The service gave no verdict (${silence.reason}), and has blocked this before.`;
    return { ...here, ...turn.blockedBefore, decision: 'block', reason: 'offline', note };
  }
  if (here.reason !== null) return here;
  if (silence !== undefined) {
    const note = `The service gave no verdict (${silence.reason}); the device decided.`;
    return { ...here, reason: 'offline', note };
  }
  if (turn.tooLarge.length === 0) return here;
  const note = 'A text is too large for the service; the device decided on it.';
  return { ...here, reason: 'too_large', note };
}

/** What is done about texts of earlier turns goes on with each turn. */
function earlier(facts: Facts, { known }: Turn, { verdicts }: JudgedThere): Judgement {
  const masked = [...known].filter(([, { replacements }]) => replacements.length > 0);
  const first = masked[0]?.[1];
  return own(facts, {
    by: 'cloud',
    ...(verdicts[0] !== undefined && { eventId: verdicts[0].eventId }),
    ...(first !== undefined && {
      decision: 'redact',
      threatType: first.threatType,
      confidence: first.confidence,
    }),
    replacements: new Map(masked.map(([index, { replacements }]) => [index, replacements])),
  });
}

function cloudJudgement(verdict: VerdictThere): Judgement {
  const reason = verdict.exceptionId === null ? null : 'exception';
  return { ...verdict, by: 'cloud', findings: [], reason, note: null };
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
