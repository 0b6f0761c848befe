import { type Direction, STRICTNESS, type Unscanned } from '@csg/shared/contract';
import type { CompiledPolicy } from './compile-policy.ts';
import { decideTexts } from './decide-texts.ts';
import type { GuardOutcome } from './device-policy.ts';
import { deviceEvaluation, type Evaluation, evaluationOf } from './evaluation.ts';
import type { Turn } from './plan-turn.ts';
import type { RequestReading } from './request-reading.ts';
import { type ServiceEvaluation, type ServiceVerdict, serviceEvaluation } from './service-evaluation.ts';

export interface TurnToEvaluate {
  readonly host: string;
  readonly direction: Direction;
  readonly reading: Pick<RequestReading, 'format' | 'slots' | 'messages' | 'unscanned' | 'model'>;
  readonly turn: Turn;
  /** The service's outcomes for the parts of the turn, in order, as far as requested. Null: there is no service. */
  readonly outcomes: readonly GuardOutcome[] | null;
  readonly nowMs: number;
  readonly newEventId: string;
}

/** Returns the verdict on all texts of a turn, and what neither the service nor the device could read. */
export function evaluateTurn(
  compiled: CompiledPolicy,
  facts: TurnToEvaluate,
): { readonly evaluation: Evaluation; readonly unscanned: readonly Unscanned[] } {
  const onService = serviceEvaluation(facts.turn, facts.outcomes ?? [], facts.reading.slots);
  return {
    evaluation: joinEvaluations(compiled, facts, onService),
    unscanned: unscannedBy(facts, onService),
  };
}

/** Returns what neither could read; for attached files the service decides. */
function unscannedBy(
  { reading, turn }: TurnToEvaluate,
  { files, unscanned }: ServiceEvaluation,
): readonly Unscanned[] {
  const read = new Set<unknown>([...files, ...turn.knownFiles].map(({ notice }) => notice));
  return [...reading.unscanned.filter((one) => !read.has(one)), ...unscanned];
}

/** Returns the strictest of the service's current and earlier verdicts, and the device's verdict on the rest. */
function joinEvaluations(
  compiled: CompiledPolicy,
  facts: TurnToEvaluate,
  onService: ServiceEvaluation,
): Evaluation {
  const here = evaluateRest(compiled, facts, onService);
  const before = earlier(facts, onService);
  const all = [
    ...onService.verdicts.map(cloudEvaluation),
    ...(here === null ? [] : [here]),
    ...(before === null ? [] : [before]),
  ];
  const [first = deviceEvaluation(facts, { by: 'cloud' })] = all;
  const strictest = all.reduce(
    (current, one) => (STRICTNESS[one.decision] > STRICTNESS[current.decision] ? one : current),
    first,
  );
  if (strictest.decision === 'block') return strictest;
  const { decision, threatType, confidence } = strictest;
  const replacements = new Map(all.flatMap((one) => [...one.replacements]));
  // The device has to report decisions it took part in; the service has recorded its own part.
  const base = here ?? strictest;
  const excepted = all.find(({ exceptionId }) => exceptionId !== null);
  return {
    ...base,
    decision,
    threatType,
    confidence,
    replacements,
    reason: base.reason ?? excepted?.reason ?? null,
    exceptionId: base.exceptionId ?? excepted?.exceptionId ?? null,
  };
}

/** Evaluates the texts that the service has not evaluated with the engine on the device; null if there are none. */
function evaluateRest(
  compiled: CompiledPolicy,
  facts: TurnToEvaluate,
  onService: ServiceEvaluation,
): Evaluation | null {
  const { reading, turn, outcomes } = facts;
  const evaluated = new Set([...onService.slots, ...turn.known.keys()]);
  const isComplete = onService.verdicts.length === turn.parts.length && turn.tooLarge.length === 0;
  // Texts after a block are not evaluated, because they cannot change the decision.
  if (isComplete || onService.verdicts.some(({ decision }) => decision === 'block')) return null;
  const model = reading.model;
  const verdict = decideTexts(compiled, reading, facts.direction, facts.host, facts.nowMs, {
    model,
    evaluated,
  });
  const here = evaluationOf(verdict, facts);
  const silence = outcomes?.find((outcome) => outcome.kind === 'no-answer');
  if (silence !== undefined && turn.blockedBefore !== null && here.exceptionId === null) {
    const note = `The service gave no verdict (${silence.reason}) but has blocked this before.`;
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

/** Masks of earlier turns are applied again in each turn; null: there are none. */
function earlier(facts: TurnToEvaluate, { verdicts }: ServiceEvaluation): Evaluation | null {
  const masked = [...facts.turn.known].filter(([, { replacements }]) => replacements.length > 0);
  const first = masked[0]?.[1];
  if (first === undefined) return null;
  return deviceEvaluation(facts, {
    by: 'cloud',
    ...(verdicts[0] !== undefined && { eventId: verdicts[0].eventId }),
    decision: 'redact',
    threatType: first.threatType,
    confidence: first.confidence,
    replacements: new Map(masked.map(([index, { replacements }]) => [index, replacements])),
  });
}

function cloudEvaluation(verdict: ServiceVerdict): Evaluation {
  const reason = verdict.exceptionId === null ? null : 'exception';
  return { ...verdict, by: 'cloud', findings: [], reason, note: null };
}
