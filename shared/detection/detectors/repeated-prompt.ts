import type { TextSlot } from '../../text/index.ts';
import { hashWord } from '../lexicon/tables.ts';
import { BEGS, FORBIDS, firstWord, mood, OBLIGES, ORDERS, readMoods } from '../model/mood.ts';
import { clean, originalRange } from '../normalize/clean.ts';
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
const reading = new Reading();

/** The words of a system prompt: where each run of them begins, and which belong to its instructions. */
interface ToldWords {
  readonly runs: Map<number, number>;
  readonly isInstruction: boolean[];
}

/**
 * In answers: whether they say the system prompt word for word. `told` is what the developer told the model, in this
 * scan or before it. Only its instructions count: an answer may well quote the facts it was given there. Linear.
 */
export function detectRepeatedPrompt(
  told: readonly TextSlot[],
  slots: readonly TextSlot[],
  findings: Finding[],
): void {
  const words: ToldWords = { runs: new Map(), isInstruction: [] };
  for (const slot of told) if (slot.role === 'system') noteWords(slot.text, words);
  const total = words.isInstruction.filter(Boolean).length;
  if (total < MIN_TOLD) return;
  for (const [index, slot] of slots.entries()) {
    if (isDevelopers(slot) || slot.role === 'user') continue;
    const said = repeatedWords(slot.text, words);
    const confidence = confidenceOf(said.count, total);
    if (confidence === 0) continue;
    findings.push({
      slot: index,
      start: said.start,
      end: said.end,
      type: 'system_prompt_leak',
      rule: 'leak.repeated-prompt',
      confidence,
      reason: 'Repeats the instructions the model was given, word for word.',
    });
  }
}

function confidenceOf(words: number, total: number): number {
  const share = words / total;
  if (share >= 0.5) return 0.97;
  if (share >= 0.25 || words >= 80) return 0.88;
  return share >= 0.1 && words >= 24 ? 0.72 : 0;
}

/** Calls `visit` with each piece of a text, read. */
function readPieces(text: string, visit: () => void): void {
  for (let from = 0; from < text.length; from += MAX_PIECE) {
    readText(text, from, Math.min(text.length, from + MAX_PIECE), reading, false);
    visit();
  }
}

function noteWords(text: string, { runs, isInstruction }: ToldWords): void {
  const cleaned = clean(text).text;
  readPieces(cleaned, () => {
    readMoods(cleaned, reading);
    eachRun((hash, word) => {
      if (!runs.has(hash)) runs.set(hash, isInstruction.length + word);
    });
    for (let unit = 0; unit < reading.units; unit++) {
      const isOrder = ORDER_MOODS.includes(mood[unit]!) || reading.hash[firstWord[unit]!] === THOU;
      for (let w = firstWord[unit]!; w < firstWord[unit + 1]!; w++) isInstruction.push(isOrder);
    }
  });
}

const ORDER_MOODS = [ORDERS, BEGS, FORBIDS, OBLIGES];

/** How many words of instruction a text says again in runs, and where the first run begins and the last one ends. */
function repeatedWords(
  text: string,
  { runs, isInstruction }: ToldWords,
): { count: number; start: number; end: number } {
  const view = clean(text);
  const said = new Set<number>();
  let start = -1;
  let end = 0;
  readPieces(view.text, () => {
    eachRun((hash, word) => {
      const at = runs.get(hash);
      if (at === undefined) return;
      for (let i = at; i < at + RUN; i++) if (isInstruction[i]) said.add(i);
      if (start < 0) start = reading.start[word]!;
      const last = word + RUN;
      end = last < reading.words ? reading.start[last]! : reading.unitEnd[reading.units - 1]!;
    });
  });
  return { count: said.size, ...(start < 0 ? { start: 0, end: 0 } : originalRange(view, start, end)) };
}

/** Every run of words of the last reading: its hash and the index of its first word. */
function eachRun(visit: (hash: number, word: number) => void): void {
  let hash = 0;
  for (let w = 0; w < reading.words; w++) {
    hash = (Math.imul(hash, BASE) + reading.hash[w]!) | 0;
    if (w >= RUN) hash = (hash - Math.imul(reading.hash[w - RUN]!, baseToRun)) | 0;
    if (w >= RUN - 1) visit(hash, w - RUN + 1);
  }
}
