import type { Direction } from '../contract/index.ts';
import type { SlotRole } from '../text/index.ts';
import { decide } from './decide.ts';
import { scan } from './engine.ts';
import { CONCEPT_NAMES } from './lexicon/tables.ts';
import { contextOf } from './model/context.ts';
import { featuresOf } from './model/features.ts';
import { type BestWindow, bestWindow } from './model/score.ts';
import { MODELS, type ReadingKind, type ReadingModel } from './model/weights.ts';
import { type NormalizedText, normalizeText, originalRange } from './normalize/normalize-text.ts';
import type { Text } from './read/codes.ts';
import { readText } from './read/read-text.ts';
import { MAX_PIECE } from './read/tokenized-text.ts';
import type { Ruleset } from './ruleset.ts';
import type { Verdict } from './types.ts';
import { type ScoringTables, Workspace } from './workspace.ts';

export interface ExplainedWord {
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** The log-odds that the strongest window loses without this word; above 0 it is evidence for an attack. */
  readonly weight: number;
  /** The meaning of the word in the lexicon, such as `ignore`; empty if it has none. */
  readonly meaning: string;
}

export interface Explanation {
  readonly verdict: Verdict;
  readonly reading: ReadingKind;
  /** The sentences that decided the score: their offsets and their score in log-odds. */
  readonly window: { readonly start: number; readonly end: number; readonly score: number } | undefined;
  readonly words: readonly ExplainedWord[];
}

/**
 * Explains a verdict to people: what matched, where, and the weight of each word. Scores the text once per word, so it
 * is too slow for the request path.
 */
export function explain(text: string, role: SlotRole, ruleset: Ruleset, direction: Direction): Explanation {
  const workspace = new Workspace();
  const findings = scan([{ path: '#explain', role, text }], ruleset, direction, { workspace });
  const verdict = decide(findings, ruleset, direction);
  const kind: ReadingKind = role === 'tool_result' || role === 'document' ? 'data' : 'user';
  const cleaned = normalizeText(text, workspace);
  const size = Math.min(cleaned.text.length, MAX_PIECE);
  const weighed = workspace.withText(cleaned.text, (read) =>
    workspace.withTables(size, (tables) => weigh(read, size, cleaned, MODELS[kind], tables)),
  );
  return { verdict, reading: kind, ...weighed };
}

/** Returns the strongest window of the first `size` characters, and what each of its words adds to its score. */
function weigh(
  text: Text,
  size: number,
  cleaned: NormalizedText,
  model: ReadingModel,
  tables: ScoringTables,
): Pick<Explanation, 'window' | 'words'> {
  const { reading } = tables;
  readText(text, 0, size, reading, model.frames);
  const best = scoreOf(text, model, tables);
  if (reading.units === 0) return { window: undefined, words: [] };
  const from = reading.unitStart[best.first]!;
  const to = reading.unitEnd[best.last]!;
  readText(text, from, to, reading, model.frames);
  const whole = scoreOf(text, model, tables).score;
  const words: ExplainedWord[] = [];
  for (let word = 0; word < reading.words; word++) {
    const hash = reading.hash[word]!;
    const concept = reading.concept[word]!;
    reading.hash[word] = 0;
    reading.concept[word] = 0;
    const weight = Math.round((whole - scoreOf(text, model, tables).score) * 100) / 100;
    reading.hash[word] = hash;
    reading.concept[word] = concept;
    const start = reading.start[word]!;
    const next = word + 1 < reading.words ? reading.start[word + 1]! : to;
    const length = text.string.slice(start, next).trimEnd().length;
    words.push({
      ...originalRange(cleaned, start, start + length),
      weight,
      meaning: CONCEPT_NAMES[concept] ?? '',
    });
  }
  const window = { ...originalRange(cleaned, from, to), score: Math.round(best.score * 100) / 100 };
  return { window, words };
}

function scoreOf({ string }: Text, model: ReadingModel, tables: ScoringTables): BestWindow {
  const { reading, features, context, scores } = tables;
  featuresOf(reading, features, model.frames);
  if (model.frames) contextOf(string, reading, features, context);
  return bestWindow(reading, features, model, scores);
}
