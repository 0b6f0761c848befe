/**
 * Trains the two readings of the detector and writes shared/detection/model/weights-user.json and weights-data.json.
 *   npm run lab -- train-detector --data DIR [--only user|data] [--seed N] [--hold-out] [--out FOLDER]
 * DIR (or TRAINING_DATA_DIR) contains train.jsonl and dev.jsonl: {id, text, label, category, source}; ../traffic is
 * next to it. The same code, data, dependencies and seed give the same weights; their `origin` records them.
 */
import { createHash, type Hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FEATURE_BITS } from '../../shared/detection/model/feature-list.ts';
import { lengthPenalty } from '../../shared/detection/model/score.ts';
import { createRandom, type Random } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import type { WeightsOrigin } from './check-weights.ts';
import { buildDataSet, dataCalibrationRows } from './detector/data-set.ts';
import {
  compileExample,
  compileExamples,
  type Row,
  readDependencyFiles,
  readRows,
} from './detector/examples.ts';
import { codeLists, readMoreHarmless, readWritten } from './detector/further-rows.ts';
import { bestWindow, type LearnOptions, learn, type Weights } from './detector/learn.ts';
import { readPlantedRows } from './detector/planted-rows.ts';
import { quantize } from './detector/quantize.ts';
import { digestReading } from './detector/reading-digest.ts';
import { pooledThreshold, worstSourceThreshold } from './detector/thresholds.ts';
import { buildUserSet } from './detector/training-set.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KINDS = ['user', 'data'] as const;
const SEEDS = 4;
/** Maximum shares of harmless texts above one half: of the worst source, and of all together. */
const WORST_SOURCE = { user: 0.025, data: 0.015 };
const ALL_SOURCES = { user: 0.0045, data: 0.008 };
/** Sources that label texts as harmless which tell the model to drop all instructions. */
const NOISY = ['injecguard_valid1000'];
const OPTIONS: LearnOptions = {
  rounds: 5,
  rate: 0.03,
  decay: 2e-5,
  window: 3,
  positiveWeight: 1.5,
  wordDropout: 0.1,
  wordRate: 1,
};
/** Threshold increase for longer texts, which keeps false positives independent of length. See lengthPenalty. */
const PENALTIES = { user: { slope: 0.8, steep: 2.5 }, data: { slope: 0.5, steep: 0 } };

/**
 * Averages several runs, each with newly drawn texts in another order: the mean of linear models is one linear model
 * with less noise.
 */
function learnAveraged(
  draw: (random: Random) => readonly Row[],
  frames: boolean,
  options: LearnOptions,
  seed: number,
  learned: Hash,
): Weights {
  const mean: Weights = { values: new Float32Array(1 << FEATURE_BITS), bias: 0 };
  for (let run = 0; run < SEEDS; run++) {
    const rows = draw(createRandom(seed + 100 + run));
    console.log(`${rows.length} texts, ${rows.filter((row) => row.label === 1).length} attacks`);
    for (const { text, label, span } of rows)
      learned.update(`${JSON.stringify([text, label, span ?? null])}\n`);
    const examples = rows.flatMap((row) => compileExamples(row, frames));
    const weights = learn(examples, options, createRandom(seed + run));
    for (let i = 0; i < mean.values.length; i++) mean.values[i]! += weights.values[i]! / SEEDS;
    mean.bias += weights.bias / SEEDS;
  }
  return mean;
}

function main(): void {
  const values = readOptions({
    command: 'npm run lab -- train-detector',
    about: 'Trains the two models of the detector (user, data) and writes their weights.',
    options: {
      data: {
        type: 'string',
        value: 'DIR',
        help: 'Folder of train.jsonl and dev.jsonl (or TRAINING_DATA_DIR)',
      },
      seed: { type: 'string', value: 'N', default: '1', help: 'Seed of the random choices' },
      'hold-out': { type: 'boolean', default: false, help: 'Exclude a seventh of the template families' },
      only: { type: 'string', value: 'READING', help: 'Train only this model: user or data' },
      out: { type: 'string', value: 'DIR', default: `${ROOT}shared/detection/model`, help: 'Output folder' },
    },
  });
  const folder = values.data ?? process.env['TRAINING_DATA_DIR'];
  if (folder === undefined) throw new Error('Name the folder of the data with --data DIR');
  const kinds = KINDS.filter((kind) => values.only === undefined || values.only === kind);
  if (kinds.length === 0) throw new Error('--only must be user or data');
  const seed = Number(values.seed);
  const train = readRows(`${folder}/train.jsonl`);
  const dev = readRows(`${folder}/dev.jsonl`);
  const docs = readDependencyFiles(`${ROOT}node_modules`);
  const planted = readPlantedRows(`${folder}/../traffic`, createRandom(seed));
  const input = { train, docs, holdOut: values['hold-out'], planted };
  for (const kind of kinds) {
    const isUser = kind === 'user';
    const options = isUser
      ? OPTIONS
      : { ...OPTIONS, window: 1 as const, positiveWeight: 0.7, wordDropout: 0.2 };
    const frames = kind === 'data';
    const learned = createHash('sha256');
    const weights = learnAveraged(
      (random) => [
        ...(isUser ? buildUserSet(input, random) : buildDataSet(input, random)),
        ...readMoreHarmless(folder, kind, random),
        ...readWritten(folder, kind),
        ...codeLists(random),
      ],
      frames,
      options,
      seed,
      learned,
    );
    const { bytes, scale } = quantize(weights.values);
    // Thresholds are chosen for the quantized weights that ship.
    for (let i = 0; i < bytes.length; i++) weights.values[i] = bytes[i]! * scale;
    const penalty = PENALTIES[kind];
    const margins = (isUser ? dev : dataCalibrationRows(dev, createRandom(99))).map((row) => {
      const example = compileExample(row, frames);
      return {
        margin:
          bestWindow(example, weights, options.window).score -
          lengthPenalty(example.sentences, penalty) +
          example.ease,
        label: row.label,
        source: row.source,
      };
    });
    const ordinary = margins.filter(({ source }) => !NOISY.includes(source));
    const threshold = Math.max(
      worstSourceThreshold(ordinary, WORST_SOURCE[kind]),
      pooledThreshold(ordinary, ALL_SOURCES[kind]),
    );
    const origin: WeightsOrigin = { data: learned.digest('hex'), reading: digestReading(kind) };
    const stored = {
      origin,
      frames,
      threshold,
      window: options.window,
      ...penalty,
      scale,
      bias: weights.bias,
      values: Buffer.from(bytes.buffer).toString('base64'),
    };
    const out = `${values.out}/weights-${kind}.json`;
    writeFileSync(out, `${JSON.stringify(stored)}\n`);
    console.log(`Wrote ${out}, ${Math.round(readFileSync(out).length / 1024)} KB`);
  }
}

if (import.meta.main) main();
