import type { TextSlot } from '../../text/index.ts';
import { hashWord } from '../lexicon/tables.ts';
import {
  COMMAND,
  OBLIGATION,
  POLITE_COMMAND,
  PROHIBITION,
  readSentenceTypes,
} from '../model/sentence-type.ts';
import { type NormalizedText, normalizeText, originalRange } from '../normalize/normalize-text.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import type { TokenizedText } from '../read/tokenized-text.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import type { RunTable } from './run-table.ts';
import { isDevelopers } from './slot-roles.ts';
import { eachPiece, eachRun, RUN, type VisitRun } from './word-runs.ts';

/** Prompts with fewer words of instructions reveal nothing worth blocking. */
const MIN_INSTRUCTION = 20;

const SECOND_PERSON = hashWord('you');
const INSTRUCTIONS: readonly number[] = [COMMAND, POLITE_COMMAND, PROHIBITION, OBLIGATION];

/**
 * In responses: text that repeats the system prompt word for word. `systemSlots` is what the developer told the model,
 * in this scan or earlier. Only its instructions count, because a response may quote the facts in it. Linear.
 */
export function detectRepeatedPrompt(
  systemSlots: readonly TextSlot[],
  slots: readonly TextSlot[],
  workspace: Workspace,
  findings: Finding[],
): void {
  const prompts = systemSlots
    .filter((slot) => slot.role === 'system')
    .map((slot) => normalizeText(slot.text, workspace).text);
  if (!haveWords(prompts, MIN_INSTRUCTION, workspace)) return;
  for (const [index, slot] of slots.entries()) {
    if (isDevelopers(slot) || slot.role === 'user') continue;
    const view = normalizeText(slot.text, workspace);
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
      reason: 'Repeats the instructions of the model word for word.',
    });
  }
}

/** True if the texts have `least` words together: reading short prompts is cheaper than reading the response. */
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

/** Returns the runs of the prompts that also occur in `text`. */
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

/** Returns the confidence for the share of the instructions that is repeated. */
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

/** Returns the confidence for `repeatedWords` of the instructions' `total` words. */
export function repetitionConfidence(repeatedWords: number, total: number): number {
  if (total < MIN_INSTRUCTION) return 0;
  const share = repeatedWords / total;
  if (share >= ATTACK.repeatedHalfShare) return ATTACK.repeatedHalf;
  if (share >= ATTACK.repeatedQuarterShare || repeatedWords >= 80) return ATTACK.repeatedQuarter;
  return share >= ATTACK.repeatedTenthShare && repeatedWords >= 24 ? ATTACK.repeatedTenth : 0;
}

/** Marks the words of a piece of `text` that are in sentences that tell the model what to do or who it is. */
export function markInstructions(text: string, piece: TokenizedText): Uint8Array {
  readSentenceTypes(text, piece);
  const { sentenceType, firstWord, hash } = piece;
  const marks = new Uint8Array(piece.words);
  for (let unit = 0; unit < piece.units; unit++) {
    const first = firstWord[unit]!;
    if (INSTRUCTIONS.includes(sentenceType[unit]!) || hash[first] === SECOND_PERSON)
      marks.fill(1, first, firstWord[unit + 1]!);
  }
  return marks;
}

function placeOf(
  view: NormalizedText,
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
