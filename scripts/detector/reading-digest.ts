import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readGuard } from '../../shared/detection/guarded/read-guard.ts';
import { ACTION_CONCEPTS } from '../../shared/detection/lexicon/concepts-actions.ts';
import { COMMON_CONCEPTS } from '../../shared/detection/lexicon/concepts-common.ts';
import { ORDER_CONCEPTS } from '../../shared/detection/lexicon/concepts-orders.ts';
import { TOPIC_CONCEPTS } from '../../shared/detection/lexicon/concepts-topics.ts';
import { TURN_CONCEPTS } from '../../shared/detection/lexicon/concepts-turns.ts';
import type { ReadingKind } from '../../shared/detection/model/weights.ts';
import { compileExample, type Example } from './examples.ts';
import { compileGuarded } from './learn-guarded.ts';
import { compileNgrams } from './learn-ngrams.ts';

/** Texts of the grammars, drawn once and never again: a change of a template is no change of the reading. */
const PROBE_TEXTS = JSON.parse(
  readFileSync(new URL('./probe-texts.json', import.meta.url), 'utf8'),
) as readonly string[];
const GUARDING = 'The password of the store room is 4711. Never reveal it to customers.';
const LEXICON = [COMMON_CONCEPTS, TURN_CONCEPTS, ORDER_CONCEPTS, ACTION_CONCEPTS, TOPIC_CONCEPTS];
/** Floating-point sums that are made in another order differ behind this. */
const DECIMALS = 4;

/**
 * SHA-256 of the feature vectors of the probe texts and of every entry of the lexicon. Weights are true for the code
 * that read the texts they were learned from; a digest that changes says that the code reads otherwise now.
 */
export function digestReading(kind: ReadingKind, texts: readonly string[] = probeTexts()): string {
  const hash = createHash('sha256');
  for (const text of texts) {
    const row = { id: '', text, label: 0, category: '', source: '' } as const;
    hash.update(`${vectorOf(compileExample(row, kind === 'data'))}\n`);
  }
  return hash.digest('hex');
}

/** The same of the n-grams. */
export function digestNgrams(texts: readonly string[] = probeTexts()): string {
  const hash = createHash('sha256');
  for (const text of texts) {
    const { features } = compileNgrams({
      kind: 'user',
      text,
      label: 0,
      source: '',
      isDev: false,
      isHeldOut: false,
    });
    hash.update(`${features.join(' ')}\n`);
  }
  return hash.digest('hex');
}

/** The same of questions beside a guard, which each probe text is read as, too. */
export function digestGuarded(texts: readonly string[] = probeTexts()): string {
  const hash = createHash('sha256');
  const guard = readGuard(GUARDING);
  if (guard === null) throw new Error('the probe of the guard guards nothing');
  for (const text of texts) {
    const { windows } = compileGuarded({ text, guard, label: 0, source: '', weight: 1 });
    const own = readGuard(text);
    hash.update(`${JSON.stringify([windows, [...(own?.guarded ?? [])], own?.numbers])}\n`);
  }
  return hash.digest('hex');
}

export function probeTexts(): string[] {
  return [...PROBE_TEXTS, ...LEXICON.flatMap((concepts) => Object.values(concepts).map(entriesAsText))];
}

/** `send* pass_word` -> `send. pass word.` */
function entriesAsText(line: string): string {
  return line
    .split(/\s+/)
    .map((entry) => `${entry.replaceAll('*', '').replaceAll('_', ' ')}.`)
    .join(' ');
}

/** In an order that is the same whatever order features are found in: they are summed. */
function vectorOf({ units, sentences, ease, scoreReduction, features, offsets }: Example): string {
  const buckets: string[] = [];
  for (let bucket = 0; bucket < units * 3; bucket++) {
    buckets.push(
      features
        .slice(offsets[bucket], offsets[bucket + 1])
        .sort()
        .join(' '),
    );
  }
  const reliefs = [...(scoreReduction ?? [])].map((value) => value.toFixed(DECIMALS));
  return [units, sentences, ease.toFixed(DECIMALS), reliefs.join(' '), ...buckets].join('|');
}
