import type { TextSlot } from '../../text/index.ts';
import { type Guard, isGuarding, readGuard } from '../guarded/read-guard.ts';
import { MAX_QUESTION, scoreQuestion } from '../guarded/score-guarded.ts';
import { GUARDED_MODEL } from '../guarded/weights.ts';
import { confidenceOf } from '../model/weights.ts';
import { normalizeText, originalRange } from '../normalize/normalize-text.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';

export const GUARDED_RULE = 'conversation.guarded';
/** The number of the user's last texts that are examined. */
const MAX_TEXTS = 8;
/** Shorter than any question. */
const MIN_LENGTH = 4;

/**
 * If the developer's text says to keep something from users, detects questions that circle it. Most of them are attacks
 * only next to such a text (`What rhymes with it?`), so without one nothing is read here.
 */
export function detectGuardedQuestions(
  slots: readonly TextSlot[],
  workspace: Workspace,
  findings: Finding[],
): void {
  const questions = questionIndexes(slots);
  if (questions.length === 0) return;
  const guard = guardOf(slots);
  if (guard === null) return;
  for (const index of questions) {
    const found = judge(slots[index]!.text, guard, workspace);
    if (found.confidence < ATTACK.guardedLeast) continue;
    findings.push({
      ...found,
      slot: index,
      type: 'system_prompt_leak',
      rule: GUARDED_RULE,
      reason: 'Asks about what the system prompt says to keep from users.',
    });
  }
}

/** Returns the indexes of the developer's texts that say to keep something from users. */
export function guardingIndexes(slots: readonly TextSlot[]): readonly number[] {
  return slots.flatMap((slot, index) => (isDevelopersWord(slot) && isGuarding(slot.text) ? [index] : []));
}

function isDevelopersWord({ role, isNumber }: TextSlot): boolean {
  return role === 'system' && isNumber !== true;
}

function questionIndexes(slots: readonly TextSlot[]): number[] {
  const found: number[] = [];
  for (let index = slots.length - 1; index >= 0 && found.length < MAX_TEXTS; index--) {
    const { role, isNumber, text } = slots[index]!;
    const isRead = role === 'user' && isNumber !== true && text.length >= MIN_LENGTH;
    if (isRead && text.length <= MAX_QUESTION) found.unshift(index);
  }
  return found;
}

/** Merges the guards of all the developer's texts; null: they guard nothing. */
function guardOf(slots: readonly TextSlot[]): Guard | null {
  const guards = slots.filter(isDevelopersWord).flatMap(({ text }) => readGuard(text) ?? []);
  if (guards.length < 2) return guards[0] ?? null;
  return {
    guarded: new Set(guards.flatMap(({ guarded }) => [...guarded])),
    stems: new Set(guards.flatMap(({ stems }) => [...stems])),
    numbers: guards.flatMap(({ numbers }) => numbers),
    isKey: guards.some(({ isKey }) => isKey),
  };
}

interface Judged {
  readonly confidence: number;
  readonly start: number;
  readonly end: number;
}

function judge(original: string, guard: Guard, workspace: Workspace): Judged {
  const cleaned = normalizeText(original, workspace);
  const scored = workspace.withWords(cleaned.text, MAX_QUESTION, (reading, text) =>
    scoreQuestion(text, reading, guard, GUARDED_MODEL),
  );
  if (scored === null) return { confidence: 0, start: 0, end: 0 };
  const { threshold, slope } = GUARDED_MODEL;
  return {
    confidence: Math.min(ATTACK.mostOfGuarded, confidenceOf(slope * (scored.score - threshold))),
    ...originalRange(cleaned, scored.start, scored.end),
  };
}
