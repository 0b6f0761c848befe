/**
 * Trains the n-gram models, the readings' second opinion, and writes shared/detection/model/weights-ngrams-*.json. Then
 * it chooses how to combine both: on real harmless texts outside the training, and on attacks whose sources were left
 * out of the model that scores them.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readAttacks } from '../../shared/detection/detectors/attacks.ts';
import { createTaskReader } from '../../shared/detection/detectors/user-task.ts';
import { normalizeText } from '../../shared/detection/normalize/normalize-text.ts';
import { Workspace } from '../../shared/detection/workspace.ts';
import { createRandom } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import type { LinearWeights } from './detector/adagrad.ts';
import { chooseCombination, MIN_COUNT, READS_UNITS, type ScoredRow } from './detector/choose-combination.ts';
import { readDependencyFiles } from './detector/examples.ts';
import {
  compileNgrams,
  learnNgrams,
  learnNgramsAveraged,
  type NgramExample,
  scoreExample,
} from './detector/learn-ngrams.ts';
import { type NgramRow, readNgramRows } from './detector/ngram-rows.ts';
import { quantize } from './detector/quantize.ts';
import { digestNgrams } from './detector/reading-digest.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KINDS = ['user', 'data'] as const;
const FOLDS = 3;
const RUNS = 8;

const SCRIPT = {
  command: 'npm run lab -- train-ngrams',
  about: 'Trains the n-gram models and writes shared/detection/model/weights-ngrams-*.json.',
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      help: 'Folder of train, dev, attacks-more and written.jsonl, next to a folder traffic (or TRAINING_DATA_DIR)',
    },
    seed: { type: 'string', value: 'N', help: 'Seed', default: '1' },
    only: { type: 'string', value: 'KIND', help: 'Train only this model: user or data' },
    out: { type: 'string', value: 'DIR', help: 'Output folder', default: `${ROOT}shared/detection/model` },
    scores: {
      type: 'string',
      value: 'FILE',
      help: 'Also write the scores from which the combination was chosen',
    },
  },
} as const;

function main(): number {
  const values = readOptions(SCRIPT);
  const folder = values.data ?? process.env['TRAINING_DATA_DIR'];
  const kinds = KINDS.filter((kind) => values.only === undefined || values.only === kind);
  if (folder === undefined || kinds.length === 0) {
    console.error(
      folder === undefined ? 'Name the folder of the data with --data DIR.' : '--only must be user or data.',
    );
    return 2;
  }
  const docs = readDependencyFiles(`${ROOT}node_modules`);
  for (const kind of kinds) {
    const seed = Number(values.seed);
    const examples = readNgramRows(folder, kind, docs, createRandom(seed)).map(compileNgrams);
    const learned = examples.filter(({ row }) => !row.isDev);
    console.log(
      `${kind}: ${learned.length} texts, ${learned.filter(({ row }) => row.label === 1).length} attacks`,
    );
    const scored = crossScores(examples, seed);
    const { values: weights, bias } = learnNgramsAveraged(
      learned,
      Array.from({ length: RUNS }, (_none, run) => seed + run),
    );
    const { bytes, scale } = quantize(weights);
    const combination = chooseCombination(scored, kind);
    console.log(JSON.stringify(combination));
    const stored = {
      origin: { data: digestOf(learned), reading: digestNgrams() },
      ...combination,
      scale,
      bias,
      minCount: MIN_COUNT[kind],
      readsUnits: READS_UNITS[kind],
      values: Buffer.from(bytes.buffer).toString('base64'),
    };
    writeFileSync(`${values.out}/weights-ngrams-${kind}.json`, `${JSON.stringify(stored)}\n`);
    if (values.scores !== undefined) writeFileSync(`${values.scores}-${kind}.json`, JSON.stringify(scored));
  }
  return 0;
}

/** Scores texts with n-gram models that were not trained on them: dev texts by the mean over the folds. */
function crossScores(examples: readonly NgramExample[], seed: number): ScoredRow[] {
  const sources = [
    ...new Set(examples.filter(({ row }) => row.isHeldOut).map(({ row }) => row.source)),
  ].sort();
  const foldOf = (row: NgramRow): number => (row.isHeldOut ? sources.indexOf(row.source) % FOLDS : -1);
  const models: LinearWeights[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const kept = examples.filter(({ row }) => !row.isDev && foldOf(row) !== fold);
    models.push(learnNgrams(kept, seed));
  }
  return examples
    .filter(({ row }) => row.isDev || row.isHeldOut)
    .map((example) => {
      const { row } = example;
      const judges = row.isHeldOut ? [models[foldOf(row)]!] : models;
      const ngrams = judges.reduce((sum, model) => sum + scoreExample(example, model), 0) / judges.length;
      const { source, label, isTraffic = false } = row;
      return { source, label, isTraffic, margin: marginOf(row), ngrams };
    });
}

const workspace = new Workspace();

/** Returns the margin of the first reading, as the engine reads the text. */
function marginOf({ kind, text, task }: NgramRow): number {
  const slots = [
    { path: '/messages/0/content', role: 'user' as const, text: task ?? '' },
    {
      path: '/messages/1/content',
      role: kind === 'data' ? ('tool_result' as const) : ('user' as const),
      text,
    },
  ].filter((slot) => slot.text !== '');
  const cleaned = normalizeText(text, workspace).text;
  return workspace.withText(cleaned, (read) => {
    const reader = createTaskReader(slots, 'input', workspace);
    const options = { task: reader(slots.length - 1), readsAll: true };
    return readAttacks(read, kind === 'data', workspace, options).margin;
  });
}

function digestOf(examples: readonly NgramExample[]): string {
  const hash = createHash('sha256');
  for (const { row } of examples) hash.update(`${JSON.stringify([row.text, row.label, row.span ?? null])}\n`);
  return hash.digest('hex');
}

if (import.meta.main) process.exitCode = main();
