import type { Direction } from '../contract/index.ts';
import type { Span, TextSlot } from '../text/index.ts';
import { attackShares } from './attack-score.ts';
import { scan } from './engine.ts';
import { CONCEPT_NAMES } from './lexicon/tables.ts';
import { normalizeText, originalRange } from './normalize/normalize-text.ts';
import { DECISION } from './operating-points/decisions.ts';
import { readText } from './read/read-text.ts';
import { MAX_PIECE } from './read/tokenized-text.ts';
import type { Ruleset } from './ruleset.ts';
import type { Workspace } from './workspace.ts';

export interface WeighedWord extends Span {
  /** The log-odds of an attack that the text loses without this word; above 0 it is evidence for an attack. */
  readonly weight: number;
  /** The meaning of the word in the lexicon, such as `ignore`; empty if it has none. */
  readonly meaning: string;
}

/** A reading that found something, and its part of the evidence for an attack: 0..1. */
export interface ReadingShare {
  /** The rule of its findings. */
  readonly rule: string;
  readonly share: number;
}

/** Returns the share of every reading, the largest first; those without any evidence are left out. */
export function readingShares(
  slot: TextSlot,
  ruleset: Ruleset,
  direction: Direction,
  workspace: Workspace,
): readonly ReadingShare[] {
  const shares = sharesOf(slot, ruleset, direction, workspace);
  const total = shares.reduce((sum, { odds }) => sum + odds, 0);
  return shares
    .map(({ rule, odds }) => ({ rule, share: odds / total }))
    .filter(({ share }) => share >= DECISION.leastShareShown)
    .sort((one, other) => other.share - one.share);
}

/**
 * Weighs each word by all readings: what the text loses if only this word is missing. Reads the text once per word, so
 * it is too slow for the request path, and yields after each word.
 */
export function* weighWords(
  slot: TextSlot,
  ruleset: Ruleset,
  direction: Direction,
  workspace: Workspace,
): Generator<WeighedWord> {
  const whole = logOddsOf(slot, ruleset, direction, workspace);
  for (const { start, end, meaning } of wordsIn(slot.text, workspace)) {
    const text = slot.text.slice(0, start) + ' '.repeat(end - start) + slot.text.slice(end);
    const without = logOddsOf({ ...slot, text }, ruleset, direction, workspace);
    yield { start, end, meaning, weight: Math.round((whole - without) * 100) / 100 };
  }
}

function sharesOf(slot: TextSlot, ruleset: Ruleset, direction: Direction, workspace: Workspace) {
  const findings = scan([slot], ruleset, direction, { workspace });
  return attackShares(slot, findings, null, workspace);
}

function logOddsOf(...args: Parameters<typeof sharesOf>): number {
  return Math.log(sharesOf(...args).reduce((sum, { odds }) => sum + odds, 0));
}

type Word = Omit<WeighedWord, 'weight'>;

/** The words of the first piece of a text, as the readings see them. */
function wordsIn(text: string, workspace: Workspace): readonly Word[] {
  const cleaned = normalizeText(text, workspace);
  const size = Math.min(cleaned.text.length, MAX_PIECE);
  return workspace.withText(cleaned.text, (read) =>
    workspace.withTables(size, ({ reading }) => {
      readText(read, 0, size, reading, true);
      return Array.from({ length: reading.words }, (_, word): Word => {
        const start = reading.start[word]!;
        const next = word + 1 < reading.words ? reading.start[word + 1]! : size;
        const length = read.string.slice(start, next).trimEnd().length;
        const meaning = CONCEPT_NAMES[reading.concept[word]!] ?? '';
        return { ...originalRange(cleaned, start, start + length), meaning };
      });
    }),
  );
}
