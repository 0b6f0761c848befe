import { type Direction, STRICTNESS, type Unscanned } from '@csg/shared/contract';
import type { CompiledPolicy } from './compile-policy.ts';
import { decideTexts } from './decide-texts.ts';
import type { GuardOutcome } from './device-policy.ts';
import { type JudgedThere, judgedThere, type VerdictThere } from './judged-there.ts';
import { type Judgement, judgementOf, own } from './judgement.ts';
import type { Turn } from './plan-turn.ts';
import type { RequestReading } from './request-reading.ts';

export interface TurnToJudge {
  readonly host: string;
  readonly direction: Direction;
  readonly reading: Pick<RequestReading, 'dialect' | 'slots' | 'messages' | 'unscanned' | 'model'>;
  readonly turn: Turn;
  /** What the service said to the parts of the turn, in their order, as far as it was asked. Null: there is none. */
  readonly outcomes: readonly GuardOutcome[] | null;
  readonly nowMs: number;
  readonly newEventId: string;
}

/** The verdict on all texts of a turn, and what neither the service nor the device could read. */
export function judgeTurn(
  compiled: CompiledPolicy,
  facts: TurnToJudge,
): { readonly judgement: Judgement; readonly unscanned: readonly Unscanned[] } {
  const there = judgedThere(facts.turn, facts.outcomes ?? [], facts.reading.slots);
  return { judgement: joinJudgements(compiled, facts, there), unscanned: unscannedBy(facts, there) };
}

/** What neither could read: of the files that were sent along, what the service says. */
function unscannedBy(
  { reading, turn }: TurnToJudge,
  { files, unscanned }: JudgedThere,
): readonly Unscanned[] {
  const read = new Set<unknown>([...files, ...turn.knownFiles].map(({ notice }) => notice));
  return [...reading.unscanned.filter((one) => !read.has(one)), ...unscanned];
}

/** The strictest of what the service says now, what it said before, and what the device says of the rest. */
function joinJudgements(compiled: CompiledPolicy, facts: TurnToJudge, there: JudgedThere): Judgement {
  const here = judgeRest(compiled, facts, there);
  const all = [
    ...there.verdicts.map(cloudJudgement),
    ...(here === null ? [] : [here]),
    earlier(facts, there),
  ];
  const strictest = all.reduce((most, one) =>
    STRICTNESS[one.decision] > STRICTNESS[most.decision] ? one : most,
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
function judgeRest(compiled: CompiledPolicy, facts: TurnToJudge, there: JudgedThere): Judgement | null {
  const { reading, turn, outcomes } = facts;
  const judged = new Set([...there.slots, ...turn.known.keys()]);
  const isAnswered = there.verdicts.length === turn.parts.length && turn.tooLarge.length === 0;
  // What comes after a block is not asked about, because nothing changes it.
  if (isAnswered || there.verdicts.some(({ decision }) => decision === 'block')) return null;
  const model = reading.model;
  const verdict = decideTexts(compiled, reading, facts.direction, facts.host, facts.nowMs, model, judged);
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
function earlier(facts: TurnToJudge, { verdicts }: JudgedThere): Judgement {
  const masked = [...facts.turn.known].filter(([, { replacements }]) => replacements.length > 0);
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
