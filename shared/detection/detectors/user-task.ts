import type { Direction } from '../../contract/index.ts';
import { finish, messagePathOf, pausing, type Steps, type TextSlot } from '../../text/index.ts';
import { COMMAND, OTHER_QUESTION, POLITE_COMMAND, WH_QUESTION } from '../model/sentence-type.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import type { Workspace } from '../workspace.ts';
import { isData } from './slot-roles.ts';

/** The user's task, as far as it decides which sentences of the data serve it. */
export interface UserTask {
  readonly text: string;
  /** Hashes of its longer words. */
  readonly words: ReadonlySet<number>;
  /** True if it asks to do what the data says: to follow its steps, to answer its questions. */
  readonly delegates: boolean;
}

const MAX_TASK = 2000;
const LONG = 5;
/** A sentence of the data that shares at least this many words with the task is about its subject. */
const ENOUGH = 2;
/**
 * Score reductions for such a sentence, and for a step that the user asked for. Log-odds; small, because data may guess
 * the task.
 */
const SHARED = 1;
const ASKED_FOR = 2;

const STEPS: readonly number[] = [COMMAND, POLITE_COMMAND, WH_QUESTION, OTHER_QUESTION];
const DELEGATES =
  /\b(?:follow|do|carry out|execute|run|apply|perform|complete|work through|act on|answer|reply to|respond to|implement)\b[^.?!\n]{0,60}\b(?:instructions?|steps?|tasks?|to-?dos?|questions?|requests?|recipe|tutorial|guide|readme|checklist|what (?:it|he|she|they) (?:says?|asks?|wants?))\b/i;

/**
 * Returns for each text of data the index of the text with the user's task: the user's last one in the same message,
 * else the last one before it; -1 if there is none, and for every text that is not data. Later messages do not change
 * it, so the same history gives the same result in each turn.
 */
export function taskIndexes(slots: readonly TextSlot[], direction: Direction): Int32Array {
  return finish(taskIndexesInSteps(slots, direction));
}

/** Does the same in steps. */
export function* taskIndexesInSteps(slots: readonly TextSlot[], direction: Direction): Steps<Int32Array> {
  const indexes = new Int32Array(slots.length).fill(-1);
  if (direction === 'output') return indexes;
  const byMessage = new Map<string, number>();
  yield* pausing(slots.entries(), ([index, slot]) => {
    if (isTask(slot)) byMessage.set(messagePathOf(slot), index);
  });
  let last = -1;
  yield* pausing(slots.entries(), ([index, slot]) => {
    if (isTask(slot)) last = index;
    else if (isData(slot)) indexes[index] = byMessage.get(messagePathOf(slot)) ?? last;
  });
  return indexes;
}

function isTask({ role, isNumber }: TextSlot): boolean {
  return role === 'user' && isNumber !== true;
}

/** Returns the part of a user's text that is read as a task. */
export function taskTextOf({ text }: TextSlot): string {
  return text.slice(0, MAX_TASK);
}

/** Returns a function that reads the task for the text at an index, each task once if texts come in order. */
export function createTaskReader(
  slots: readonly TextSlot[],
  direction: Direction,
  workspace: Workspace,
): (index: number) => UserTask | null {
  if (direction === 'output' || !slots.some(isData)) return () => null;
  const indexes = taskIndexes(slots, direction);
  let read: { readonly index: number; readonly task: UserTask } | null = null;
  return (index) => {
    const at = indexes[index]!;
    if (at === -1) return null;
    if (read?.index !== at) read = { index: at, task: readUserTask(taskTextOf(slots[at]!), workspace) };
    return read.task;
  };
}

function readUserTask(text: string, workspace: Workspace): UserTask {
  const words = new Set<number>();
  workspace.withWords(text, MAX_TASK, (reading) => {
    for (let w = 0; w < reading.words; w++) if (isLong(reading, w, text.length)) words.add(reading.hash[w]!);
  });
  return { text, words, delegates: DELEGATES.test(text) };
}

/**
 * Adds to `reduction` how much less suspicious each unit of `data` is because it serves the task. Call it after
 * `contextOf` on the same reading.
 */
export function reduceForTask(data: TokenizedText, task: UserTask, reduction: Float32Array): void {
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

function isLong({ start, words }: TokenizedText, word: number, length: number): boolean {
  const next = word + 1 < words ? start[word + 1]! : length + 1;
  return next - start[word]! > LONG;
}
