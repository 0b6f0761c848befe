import type { TextSlot } from '../../text/index.ts';
import { normalizeText } from '../normalize/normalize-text.ts';
import type { Workspace } from '../workspace.ts';
import { markInstructions, repetitionConfidence } from './repeated-prompt.ts';
import { eachPiece, eachRun, RUN } from './word-runs.ts';

export interface RepetitionCheck {
  /** Adds a piece of a response. True once the response is known to repeat the instructions. */
  add(piece: string): boolean;
}

/** One piece of a prompt: the starts of each word run, and which words are instructions. */
interface PromptPiece {
  readonly runs: ReadonlyMap<number, readonly number[]>;
  readonly isInstruction: Uint8Array;
  readonly isRepeated: Uint8Array;
}

/**
 * The amount of a response that is read at a time; less for short instructions, most of which would otherwise be
 * released before they are read.
 */
const STRIDE = 256;
const SHORT_STRIDE = 64;
const FEW_WORDS = 100;
/** The amount that is read again, because a run of words may span two pieces. */
const OVERLAP = 256;

/**
 * Creates the same check as the detector of repeated prompts, for a response that arrives in pieces: the repeated share
 * only grows. Null if the prompt has too few instructions.
 */
export function createRepetitionCheck(
  systemSlots: readonly TextSlot[],
  workspace: Workspace,
): RepetitionCheck | null {
  const pieces: PromptPiece[] = [];
  let total = 0;
  for (const { role, text } of systemSlots) {
    if (role !== 'system') continue;
    const cleaned = normalizeText(text, workspace).text;
    eachPiece(cleaned, workspace, (piece) => {
      const isInstruction = markInstructions(cleaned, piece);
      for (const mark of isInstruction) total += mark;
      const runs = new Map<number, number[]>();
      eachRun(piece, (hash, word) => {
        const words = runs.get(hash);
        if (words === undefined) runs.set(hash, [word]);
        else words.push(word);
      });
      pieces.push({ runs, isInstruction, isRepeated: new Uint8Array(isInstruction.length) });
    });
  }
  if (repetitionConfidence(total, total) === 0) return null;
  const stride = total < FEW_WORDS ? SHORT_STRIDE : STRIDE;
  let repeated = 0;
  let unread = '';
  let before = '';

  const note = (hash: number): void => {
    for (const { runs, isInstruction, isRepeated } of pieces) {
      for (const word of runs.get(hash) ?? []) {
        for (let w = word; w < word + RUN; w++) {
          if (isRepeated[w] === 0) repeated += isInstruction[w]!;
          isRepeated[w] = 1;
        }
      }
    }
  };

  return {
    add(piece) {
      unread += piece;
      if (unread.length < stride) return false;
      const text = before + unread;
      eachPiece(normalizeText(text, workspace).text, workspace, (read) => eachRun(read, note));
      before = text.slice(-OVERLAP);
      unread = '';
      return repetitionConfidence(repeated, total) > 0;
    },
  };
}
