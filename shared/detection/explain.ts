import type { Direction } from '../contract/index.ts';
import type { SlotRole } from '../text/index.ts';
import { decide } from './decide.ts';
import { scan } from './engine.ts';
import { CONCEPT_NAMES } from './lexicon/tables.ts';
import { contextOf } from './model/context.ts';
import { FeatureList } from './model/feature-list.ts';
import { featuresOf } from './model/features.ts';
import { bestWindow } from './model/score.ts';
import { MODELS, type ReadingKind } from './model/weights.ts';
import { clean, originalRange } from './normalize/clean.ts';
import { readText } from './read/read-text.ts';
import { MAX_PIECE, Reading } from './read/reading.ts';
import type { Ruleset } from './ruleset.ts';
import type { Verdict } from './types.ts';

export interface ExplainedWord {
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** Log-odds the strongest window loses without this word; above 0 it speaks for an attack. */
  readonly weight: number;
  /** The meaning the word is known for, such as `ignore`; empty where none. */
  readonly meaning: string;
}

export interface Explanation {
  readonly verdict: Verdict;
  readonly reading: ReadingKind;
  /** The sentences that decided: offsets, and their score in log-odds. */
  readonly window: { readonly start: number; readonly end: number; readonly score: number } | undefined;
  readonly words: readonly ExplainedWord[];
}

/** For people: what fired, where, and which words weighed how much. Costs a reading per word; not for the request path. */
export function explain(text: string, role: SlotRole, ruleset: Ruleset, direction: Direction): Explanation {
  const verdict = decide(scan([{ path: '#explain', role, text }], ruleset, direction), ruleset, direction);
  const kind: ReadingKind = role === 'tool_result' || role === 'document' ? 'data' : 'user';
  const model = MODELS[kind];
  const cleaned = clean(text);
  const reading = new Reading();
  const list = new FeatureList();
  readText(cleaned.text, 0, Math.min(cleaned.text.length, MAX_PIECE), reading, model.frames);
  const readFeatures = () => {
    featuresOf(reading, list, model.frames);
    if (model.frames) contextOf(cleaned.text, reading, list);
  };
  readFeatures();
  if (reading.units === 0) return { verdict, reading: kind, window: undefined, words: [] };
  const best = bestWindow(reading, list, model);
  const from = reading.unitStart[best.first]!;
  const to = reading.unitEnd[best.last]!;
  readText(cleaned.text, from, to, reading, model.frames);
  const scoreNow = () => {
    readFeatures();
    return bestWindow(reading, list, model).score;
  };
  const whole = scoreNow();
  const words: ExplainedWord[] = [];
  for (let word = 0; word < reading.words; word++) {
    const hash = reading.hash[word]!;
    const concept = reading.concept[word]!;
    reading.hash[word] = 0;
    reading.concept[word] = 0;
    const weight = Math.round((whole - scoreNow()) * 100) / 100;
    reading.hash[word] = hash;
    reading.concept[word] = concept;
    const start = reading.start[word]!;
    const next = word + 1 < reading.words ? reading.start[word + 1]! : to;
    const length = cleaned.text.slice(start, next).trimEnd().length;
    words.push({
      ...originalRange(cleaned, start, start + length),
      weight,
      meaning: CONCEPT_NAMES[concept] ?? '',
    });
  }
  return {
    verdict,
    reading: kind,
    window: { ...originalRange(cleaned, from, to), score: Math.round(best.score * 100) / 100 },
    words,
  };
}
