import type { Unscanned } from '@csg/shared/contract';
import type { ServiceVerdict } from '@csg/shared/decision';
import type { EncodedFile } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import type { GuardOutcome } from './device-policy.ts';
import { replacementsOf } from './guard-exchange.ts';
import type { Turn, TurnPart } from './plan-turn.ts';
import { NO_MEMORY, PASSED, type TextMemory } from './text-memory.ts';

/** The service's verdicts on a turn that can be carried out. */
export interface ServiceEvaluation {
  readonly verdicts: readonly ServiceVerdict[];
  readonly slots: readonly number[];
  readonly files: readonly EncodedFile[];
  readonly unscanned: readonly Unscanned[];
}

export function serviceEvaluation(
  turn: Turn,
  outcomes: readonly GuardOutcome[],
  slots: readonly TextSlot[],
): ServiceEvaluation {
  const received = turn.parts.flatMap((part, i) => {
    const verdict = verdictOf(part, outcomes[i], slots);
    return verdict === null ? [] : [{ part, verdict, unscanned: unscannedOf(outcomes[i]) }];
  });
  return {
    verdicts: received.map(({ verdict }) => verdict),
    slots: received.flatMap(({ part }) => part.slots),
    files: received.flatMap(({ part }) => part.files),
    unscanned: received.flatMap(({ unscanned }) => unscanned),
  };
}

/** Returns null if the service gave no verdict, or one that cannot be carried out. */
function verdictOf(
  part: TurnPart,
  outcome: GuardOutcome | undefined,
  slots: readonly TextSlot[],
): ServiceVerdict | null {
  if (outcome?.kind !== 'verdict') return null;
  const { response } = outcome;
  const replacements =
    response.decision === 'redact'
      ? replacementsOf(part.question, slots, response)
      : new Map<number, never>();
  if (replacements === null) return null;
  return {
    decision: response.decision,
    eventId: response.event_id,
    threatType: response.threat_type,
    confidence: response.confidence,
    replacements,
    exceptionId: response.exception_ids?.[0] ?? null,
  };
}

function unscannedOf(outcome: GuardOutcome | undefined): readonly Unscanned[] {
  return outcome?.kind === 'verdict' ? outcome.response.unscanned : [];
}

/** Longer replacements are texts of a customer's own policy, and are not stored. */
const MAX_REPLACED = 4_096;

/**
 * Stores the service's verdict on texts that it evaluated for the first time. Texts allowed by an exception, and those
 * that it could not read, are sent to it again.
 */
export function rememberTurn(
  turn: Turn,
  outcomes: readonly GuardOutcome[],
  slots: readonly TextSlot[],
  memory: TextMemory,
): void {
  if (memory === NO_MEMORY) return;
  for (const [i, part] of turn.parts.entries()) {
    const verdict = verdictOf(part, outcomes[i], slots);
    if (verdict === null) continue;
    const { threatType, confidence } = verdict;
    const keysOf = (items: readonly (number | EncodedFile)[]): string[] =>
      items.map((item) => turn.keys.get(item)!);
    if (verdict.decision === 'block')
      memory.storeBlocked(keysOf([...part.question.slotOf, ...part.files]), { threatType, confidence });
    if (verdict.decision === 'block' || verdict.exceptionId !== null || unscannedOf(outcomes[i]).length > 0)
      continue;
    rememberPassed(part, verdict, keysOf([...part.slots, ...part.files]), memory);
  }
}

/** @param keys keys of the part's texts, then of its files */
function rememberPassed(
  part: Turn['parts'][number],
  { replacements: bySlot, threatType, confidence }: NonNullable<ReturnType<typeof verdictOf>>,
  keys: readonly string[],
  memory: TextMemory,
): void {
  for (const [at, key] of keys.entries()) {
    const slot = part.slots[at];
    const replacements = slot === undefined ? [] : (bySlot.get(slot) ?? []);
    if (replacements.reduce((sum, { text }) => sum + text.length, 0) > MAX_REPLACED) continue;
    memory.store(key, replacements.length === 0 ? PASSED : { replacements, threatType, confidence });
  }
}
