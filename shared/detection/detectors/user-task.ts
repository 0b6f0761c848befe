import type { Direction } from '../../contract/index.ts';
import type { TextSlot } from '../../text/index.ts';
import { ASKS, BEGS, ORDERS, WONDERS } from '../model/mood.ts';
import type { Reading } from '../read/reading.ts';
import type { Workspace } from '../workspace.ts';
import { isData } from './slot-roles.ts';

/** What the user wants done, as far as it says which of the data's sentences serve it. */
export interface UserTask {
  /** Hashes of its longer words. */
  readonly words: ReadonlySet<number>;
  /** It asks to do what the data says: to follow its steps, to answer its questions. */
  readonly delegates: boolean;
}

const MAX_TASK = 2000;
const LONG = 5;
/** A sentence of the data that shares so many words with the task speaks of its matter. */
const ENOUGH = 2;
/** What such a sentence, and a step that was asked for, is given off its score. Log-odds; small, for data may guess the task. */
const SHARED = 1;
const ASKED_FOR = 2;

const STEPS: readonly number[] = [ORDERS, BEGS, ASKS, WONDERS];
const DELEGATES =
  /\b(?:follow|do|carry out|execute|run|apply|perform|complete|work through|act on|answer|reply to|respond to|implement)\b[^.?!\n]{0,60}\b(?:instructions?|steps?|tasks?|to-?dos?|questions?|requests?|recipe|tutorial|guide|readme|checklist|what (?:it|he|she|they) (?:says?|asks?|wants?))\b/i;

/** The user's last words, where there are data to be read for them; null where there are none. */
export function taskTextOf(slots: readonly TextSlot[], direction: Direction): string | null {
  if (direction === 'output' || slots.length < 2 || !slots.some(isData)) return null;
  return (
    slots.findLast((slot) => slot.role === 'user' && slot.isNumber !== true)?.text.slice(0, MAX_TASK) ?? null
  );
}

export function readUserTask(text: string, workspace: Workspace): UserTask {
  const words = new Set<number>();
  workspace.withWords(text, MAX_TASK, (reading) => {
    for (let w = 0; w < reading.words; w++) if (isLong(reading, w, text.length)) words.add(reading.hash[w]!);
  });
  return { words, delegates: DELEGATES.test(text) };
}

/** Adds to `reduction` what each unit of `data` gets off because it serves the task. After `contextOf` of the same reading. */
export function reduceForTask(data: Reading, task: UserTask, reduction: Float32Array): void {
  const { firstWord, sentenceType } = data;
  const length = data.unitEnd[data.units - 1] ?? 0;
  for (let unit = 0; unit < data.units; unit++) {
    let shared = 0;
    for (let w = firstWord[unit]!; w < firstWord[unit + 1]!; w++)
      if (isLong(data, w, length) && task.words.has(data.hash[w]!)) shared++;
    const isStep = task.delegates && STEPS.includes(sentenceType[unit]!);
    reduction[unit]! += (shared >= ENOUGH ? SHARED : 0) + (isStep ? ASKED_FOR : 0);
  }
}

function isLong({ start, words }: Reading, word: number, length: number): boolean {
  const next = word + 1 < words ? start[word + 1]! : length + 1;
  return next - start[word]! > LONG;
}
