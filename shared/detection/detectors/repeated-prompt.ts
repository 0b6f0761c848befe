import type { TextSlot } from '../../text/index.ts';
import { hashWord } from '../lexicon/tables.ts';
import { BEGS, FORBIDS, OBLIGES, ORDERS, readSentenceTypes } from '../model/mood.ts';
import { type CleanText, clean, originalRange } from '../normalize/clean.ts';
import type { Reading } from '../read/reading.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import type { RunTable } from './run-table.ts';
import { isDevelopers } from './slot-roles.ts';
import { eachPiece, eachRun, RUN, type VisitRun } from './word-runs.ts';

/** Prompts with fewer words of instruction than this give nothing away that is worth a refusal. */
const MIN_INSTRUCTION = 20;

const THOU = hashWord('you');
const INSTRUCTIONS: readonly number[] = [ORDERS, BEGS, FORBIDS, OBLIGES];

/**
 * In answers: whether they say the system prompt word for word. `systemSlots` is what the developer told the model, in
 * this scan or before it. Only its instructions count: an answer may well quote the facts it was given there. Linear.
 */
export function detectRepeatedPrompt(
  systemSlots: readonly TextSlot[],
  slots: readonly TextSlot[],
  workspace: Workspace,
  findings: Finding[],
): void {
  const prompts = systemSlots
    .filter((slot) => slot.role === 'system')
    .map((slot) => clean(slot.text, workspace).text);
  if (!haveWords(prompts, MIN_INSTRUCTION, workspace)) return;
  for (const [index, slot] of slots.entries()) {
    if (isDevelopers(slot) || slot.role === 'user') continue;
    const view = clean(slot.text, workspace);
    const repeated = workspace.withRuns((runs) => repeatedRuns(prompts, view.text, runs, workspace));
    if (repeated.size === 0) continue;
    const confidence = weigh(prompts, repeated, workspace);
    if (confidence === 0) continue;
    findings.push({
      slot: index,
      ...placeOf(view, repeated, workspace),
      type: 'system_prompt_leak',
      rule: 'leak.repeated-prompt',
      confidence,
      reason: 'Repeats the instructions the model was given, word for word.',
    });
  }
}

/** Whether the texts together have so many words: reading short prompts is cheaper than reading the answer. */
function haveWords(texts: readonly string[], least: number, workspace: Workspace): boolean {
  let words = 0;
  for (const text of texts) {
    if (words >= least) break;
    eachPiece(text, workspace, (piece) => {
      words += piece.words;
      return words < least;
    });
  }
  return words >= least;
}

/** The runs of the prompts that stand in `text`, too. */
function repeatedRuns(
  prompts: readonly string[],
  text: string,
  runs: RunTable,
  workspace: Workspace,
): ReadonlySet<number> {
  const repeated = new Set<number>();
  runs.clear();
  eachPiece(text, workspace, (piece) => eachRun(piece, (hash) => runs.add(hash)));
  if (runs.isEmpty) return repeated;
  const note: VisitRun = (hash) => {
    if (runs.has(hash)) repeated.add(hash);
  };
  for (const prompt of prompts) eachPiece(prompt, workspace, (piece) => eachRun(piece, note));
  return repeated;
}

/** By how much of the instructions is said again. */
function weigh(prompts: readonly string[], repeated: ReadonlySet<number>, workspace: Workspace): number {
  let total = 0;
  let repeatedWords = 0;
  for (const prompt of prompts) {
    eachPiece(prompt, workspace, (piece) => {
      const isInstruction = markInstructions(prompt, piece);
      for (const mark of isInstruction) total += mark;
      let counted = 0;
      eachRun(piece, (hash, word) => {
        if (!repeated.has(hash)) return;
        for (let w = Math.max(word, counted); w < word + RUN; w++) repeatedWords += isInstruction[w]!;
        counted = word + RUN;
      });
    });
  }
  return repetitionConfidence(repeatedWords, total);
}

/** Of so many words of the instructions, in so many words of them. */
export function repetitionConfidence(repeatedWords: number, total: number): number {
  if (total < MIN_INSTRUCTION) return 0;
  const share = repeatedWords / total;
  if (share >= 0.5) return 0.97;
  if (share >= 0.25 || repeatedWords >= 80) return 0.88;
  return share >= 0.1 && repeatedWords >= 24 ? 0.72 : 0;
}

/** Which words of a piece of `text` belong to sentences that tell the model what to do or who it is. */
export function markInstructions(text: string, piece: Reading): Uint8Array {
  readSentenceTypes(text, piece);
  const { sentenceType, firstWord, hash } = piece;
  const marks = new Uint8Array(piece.words);
  for (let unit = 0; unit < piece.units; unit++) {
    const first = firstWord[unit]!;
    if (INSTRUCTIONS.includes(sentenceType[unit]!) || hash[first] === THOU)
      marks.fill(1, first, firstWord[unit + 1]!);
  }
  return marks;
}

function placeOf(
  view: CleanText,
  repeated: ReadonlySet<number>,
  workspace: Workspace,
): { start: number; end: number } {
  let start = -1;
  let end = 0;
  const extend: VisitRun = (hash, word, piece) => {
    if (!repeated.has(hash)) return;
    if (start < 0) start = piece.start[word]!;
    const next = word + RUN;
    end = next < piece.words ? piece.start[next]! : piece.unitEnd[piece.units - 1]!;
  };
  eachPiece(view.text, workspace, (piece) => eachRun(piece, extend));
  return originalRange(view, Math.max(0, start), end);
}
