import type { TextSlot } from '../../text/index.ts';
import { hashWord } from '../lexicon/tables.ts';
import { BEGS, FORBIDS, firstWord, mood, OBLIGES, ORDERS, readMoods } from '../model/mood.ts';
import { type CleanText, clean, originalRange } from '../normalize/clean.ts';
import { readText } from '../read/read-text.ts';
import { MAX_PIECE, Reading } from '../read/reading.ts';
import type { Finding } from '../types.ts';
import { isDevelopers } from './detector.ts';

/** So many words in a row are no chance. */
const RUN = 12;
/** Prompts with fewer words of instruction than this give nothing away that is worth a refusal. */
const MIN_TOLD = 20;
const BASE = 0x01000193;
let baseToRun = 1;
for (let i = 0; i < RUN; i++) baseToRun = Math.imul(baseToRun, BASE);

const THOU = hashWord('you');
const ORDER_MOODS = [ORDERS, BEGS, FORBIDS, OBLIGES];
const reading = new Reading();

/** Hashes of an answer's runs; open addressing, slots of an older turn are empty. Longer answers are known in part. */
const TABLE_MASK = (1 << 15) - 1;
const MOST_RUNS = 1 << 14;
const runs = new Int32Array(TABLE_MASK + 1);
const turns = new Uint32Array(TABLE_MASK + 1);
let turn = 0;

/**
 * In answers: whether they say the system prompt word for word. `told` is what the developer told the model, in this
 * scan or before it. Only its instructions count: an answer may well quote the facts it was given there. Linear.
 */
export function detectRepeatedPrompt(
  told: readonly TextSlot[],
  slots: readonly TextSlot[],
  findings: Finding[],
): void {
  const prompts = told.filter((slot) => slot.role === 'system').map((slot) => clean(slot.text).text);
  if (!haveWords(prompts, MIN_TOLD)) return;
  for (const [index, slot] of slots.entries()) {
    if (isDevelopers(slot) || slot.role === 'user') continue;
    const view = clean(slot.text);
    if (noteRuns(view.text) === 0) continue;
    const repeated = new Set<number>();
    for (const prompt of prompts) eachRun(prompt, (hash) => void (isNoted(hash) && repeated.add(hash)));
    if (repeated.size === 0) continue;
    const confidence = weigh(prompts, repeated);
    if (confidence === 0) continue;
    findings.push({
      slot: index,
      ...placeOf(view, repeated),
      type: 'system_prompt_leak',
      rule: 'leak.repeated-prompt',
      confidence,
      reason: 'Repeats the instructions the model was given, word for word.',
    });
  }
}

/** Whether the texts together have so many words: reading short prompts is cheaper than reading the answer. */
function haveWords(texts: readonly string[], least: number): boolean {
  let words = 0;
  for (const text of texts) {
    for (let from = 0; from < text.length && words < least; from += MAX_PIECE) {
      readText(text, from, Math.min(text.length, from + MAX_PIECE), reading, false);
      words += reading.words;
    }
  }
  return words >= least;
}

/** By how much of the instructions is said again. */
function weigh(prompts: readonly string[], repeated: ReadonlySet<number>): number {
  let total = 0;
  let said = 0;
  for (const prompt of prompts) {
    let isOrder = new Uint8Array(0);
    let counted = 0;
    eachRun(
      prompt,
      (hash, word) => {
        if (!repeated.has(hash)) return;
        for (let w = Math.max(word, counted); w < word + RUN; w++) said += isOrder[w]!;
        counted = word + RUN;
      },
      () => {
        isOrder = markOrders(prompt);
        counted = 0;
        for (const mark of isOrder) total += mark;
      },
    );
  }
  const share = said / total;
  if (total < MIN_TOLD) return 0;
  if (share >= 0.5) return 0.97;
  if (share >= 0.25 || said >= 80) return 0.88;
  return share >= 0.1 && said >= 24 ? 0.72 : 0;
}

/** Which words of the last reading belong to sentences that tell the model what to do or who it is. */
function markOrders(text: string): Uint8Array<ArrayBuffer> {
  readMoods(text, reading);
  const marks = new Uint8Array(reading.words);
  for (let unit = 0; unit < reading.units; unit++) {
    const first = firstWord[unit]!;
    if (ORDER_MOODS.includes(mood[unit]!) || reading.hash[first] === THOU)
      marks.fill(1, first, firstWord[unit + 1]!);
  }
  return marks;
}

function placeOf(view: CleanText, repeated: ReadonlySet<number>): { start: number; end: number } {
  let start = -1;
  let end = 0;
  eachRun(view.text, (hash, word) => {
    if (!repeated.has(hash)) return;
    if (start < 0) start = reading.start[word]!;
    const next = word + RUN;
    end = next < reading.words ? reading.start[next]! : reading.unitEnd[reading.units - 1]!;
  });
  return originalRange(view, Math.max(0, start), end);
}

/** Puts the runs of an answer into the table; returns how many. */
function noteRuns(text: string): number {
  turn = (turn + 1) >>> 0;
  let count = 0;
  eachRun(text, (hash) => {
    if (count >= MOST_RUNS) return;
    let at = hash & TABLE_MASK;
    while (turns[at] === turn && runs[at] !== hash) at = (at + 1) & TABLE_MASK;
    turns[at] = turn;
    runs[at] = hash;
    count++;
  });
  return count;
}

function isNoted(hash: number): boolean {
  let at = hash & TABLE_MASK;
  while (turns[at] === turn) {
    if (runs[at] === hash) return true;
    at = (at + 1) & TABLE_MASK;
  }
  return false;
}

/** Every run of words: its hash and the index of its first word in the piece that was just read. */
function eachRun(text: string, visit: (hash: number, word: number) => void, onRead?: () => void): void {
  for (let from = 0; from < text.length; from += MAX_PIECE) {
    readText(text, from, Math.min(text.length, from + MAX_PIECE), reading, false);
    onRead?.();
    const { hash: words } = reading;
    let hash = 0;
    for (let w = 0; w < reading.words; w++) {
      hash = (Math.imul(hash, BASE) + words[w]!) | 0;
      if (w >= RUN) hash = (hash - Math.imul(words[w - RUN]!, baseToRun)) | 0;
      if (w >= RUN - 1) visit(hash, w - RUN + 1);
    }
  }
}
