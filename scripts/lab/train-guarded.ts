/**
 * Trains the reading of questions to a system prompt that guards something, and writes
 * shared/detection/model/weights-guarded.json. Its threshold is the score that 3% of benign questions to a guard
 * exceed, as the mean over their authors, each scored without the texts of that author.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import { readGuardedRows } from './detector/guarded-rows.ts';
import {
  compileGuarded,
  type GuardedExample,
  learnGuardedAveraged,
  scoreGuarded,
} from './detector/learn-guarded.ts';
import { quantize } from './detector/quantize.ts';
import { digestGuarded } from './detector/reading-digest.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUNS = 4;
/** Shares of benign questions to a guard that `moderate` and `permissive` may act on. */
const PRICE = 0.03;
const LOW_PRICE = 0.01;
/** The confidence from which `permissive` acts. */
const PERMISSIVE = 0.8;
/** Authors of at least this many questions: each is left out of the training that scores it. */
const MIN_ROWS = 50;

const SCRIPT = {
  command: 'npm run lab -- train-guarded',
  about:
    'Trains the model for chats with a guarded system prompt and writes shared/detection/model/weights-guarded.json.',
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      help: 'Folder of train, attacks-more and written.jsonl, next to a folder traffic (or TRAINING_DATA_DIR)',
    },
    seed: { type: 'string', value: 'N', help: 'Seed', default: '1' },
    out: { type: 'string', value: 'DIR', help: 'Output folder', default: `${ROOT}shared/detection/model` },
  },
} as const;

interface Scored {
  readonly source: string;
  readonly label: 0 | 1;
  readonly score: number;
}

function main(): number {
  const values = readOptions(SCRIPT);
  const folder = values.data ?? process.env['TRAINING_DATA_DIR'];
  if (folder === undefined) {
    console.error('Name the folder of the data with --data DIR.');
    return 2;
  }
  const seed = Number(values.seed);
  const rows = readGuardedRows(folder, createRandom(seed));
  const beside = rows.beside.map(compileGuarded);
  const lone = rows.lone.map(compileGuarded);
  const seeds = Array.from({ length: RUNS }, (_none, run) => seed + run);
  const scored = crossScores(beside, lone, seeds);
  const threshold = scoreAt(scored, PRICE);
  const slope = Math.log(PERMISSIVE / (1 - PERMISSIVE)) / (scoreAt(scored, LOW_PRICE) - threshold);
  report(scored, threshold);
  const all = [...beside, ...lone];
  const learned = learnGuardedAveraged(all, seeds);
  const { bytes, scale } = quantize(learned.values);
  const stored = {
    origin: { data: digestOf(all), reading: digestGuarded() },
    threshold,
    slope,
    scale,
    bias: learned.bias,
    values: Buffer.from(bytes.buffer).toString('base64'),
  };
  writeFileSync(`${values.out}/weights-guarded.json`, `${JSON.stringify(stored)}\n`);
  return 0;
}

/** Scores the questions of each author by a model that was trained without that author. */
function crossScores(
  beside: readonly GuardedExample[],
  lone: readonly GuardedExample[],
  seeds: readonly number[],
): Scored[] {
  const counts = new Map<string, number>();
  for (const { row } of beside) if (row.weight > 0) counts.set(row.source, (counts.get(row.source) ?? 0) + 1);
  const sources = [...counts].filter(([, count]) => count >= MIN_ROWS).map(([source]) => source);
  return sources.flatMap((source) => {
    const kept = [...beside, ...lone].filter(({ row }) => row.source !== source);
    const weights = learnGuardedAveraged(kept, seeds);
    return beside
      .filter(({ row }) => row.source === source && row.weight > 0)
      .map((example) => ({ source, label: example.row.label, score: scoreGuarded(example, weights) }));
  });
}

/** Returns the score that a share of the benign questions exceeds; all authors count equally. */
function scoreAt(scored: readonly Scored[], share: number): number {
  const honest = scored.filter(({ label }) => label === 0).sort((a, b) => b.score - a.score);
  const counts = new Map<string, number>();
  for (const { source } of honest) counts.set(source, (counts.get(source) ?? 0) + 1);
  let left = share * counts.size;
  for (const { source, score } of honest) {
    left -= 1 / counts.get(source)!;
    if (left < 0) return score;
  }
  throw new Error('there are no benign questions');
}

function report(scored: readonly Scored[], threshold: number): void {
  for (const source of new Set(scored.map((row) => row.source)))
    for (const label of [1, 0] as const) {
      const own = scored.filter((row) => row.source === source && row.label === label);
      const above = own.filter(({ score }) => score > threshold).length;
      console.log(
        `${source}, ${label === 1 ? 'attacks found' : 'false positives'}: ${above} of ${own.length}`,
      );
    }
}

function digestOf(examples: readonly GuardedExample[]): string {
  const hash = createHash('sha256');
  for (const { row } of examples) hash.update(`${JSON.stringify([row.text, row.label, row.weight])}\n`);
  return hash.digest('hex');
}

if (import.meta.main) process.exitCode = main();
