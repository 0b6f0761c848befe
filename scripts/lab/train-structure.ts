/**
 * Trains the reading of the structure of planted orders, and writes shared/detection/model/weights-structure.json. Its
 * threshold is chosen for the sum with the other readings, on real honest results that nothing was learned from.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAttacks } from '../../shared/detection/detectors/attacks.ts';
import { normalizeText } from '../../shared/detection/normalize/normalize-text.ts';
import { structureSum } from '../../shared/detection/structure/weights.ts';
import { Workspace } from '../../shared/detection/workspace.ts';
import { createRandom } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import { slopeAt } from './detector/choose-combination.ts';
import {
  compileStructure,
  learnStructureAveraged,
  type StructureExample,
  scoreStructured,
} from './detector/learn-structure.ts';
import { quantize } from './detector/quantize.ts';
import { digestStructure } from './detector/reading-digest.ts';
import { readStructureChoice, readStructureRows } from './detector/structure-rows.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUNS = 4;
/** Share of real honest results above the threshold. */
const SHARE = 0.0025;

const SCRIPT = {
  command: 'npm run lab -- train-structure',
  about:
    'Trains the reading of planted orders’ structure and writes shared/detection/model/weights-structure.json.',
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      help: 'Folder of written, attacks-more and more/*.jsonl, next to a folder traffic (or TRAINING_DATA_DIR)',
    },
    held: { type: 'string', value: 'LIST', help: 'Authors to leave out, on whose texts it is measured' },
    seed: { type: 'string', value: 'N', help: 'Seed', default: '1' },
    out: { type: 'string', value: 'DIR', help: 'Output folder', default: `${ROOT}shared/detection/model` },
  },
} as const;

function main(): number {
  const values = readOptions(SCRIPT);
  const folder = values.data ?? process.env['TRAINING_DATA_DIR'];
  if (folder === undefined) {
    console.error('Name the folder of the data with --data DIR.');
    return 2;
  }
  const seed = Number(values.seed);
  const seeds = Array.from({ length: RUNS }, (_none, run) => seed + run);
  const held = new Set(values.held?.split(','));
  const rows = readStructureRows(folder, createRandom(seed)).filter(({ source }) => !held.has(source));
  const examples = rows.map(compileStructure);
  const learned = learnStructureAveraged(examples, seeds);
  const choice = readStructureChoice(folder).map((row) => ({
    ...row,
    sum: sumOf(compileStructure({ ...row, weight: 1 }), learned),
  }));
  const honest = choice.filter(({ label }) => label === 0).map(({ sum }) => sum);
  honest.sort((one, other) => other - one);
  const threshold = honest[Math.floor(honest.length * SHARE)]!;
  const attacks = choice.filter(({ label }) => label === 1).map(({ sum }) => sum);
  const slope = slopeAt(threshold, honest, attacks);
  for (const source of new Set(choice.map((row) => row.source))) {
    const own = choice.filter((row) => row.source === source);
    const above = own.filter(({ sum }) => sum > threshold).length;
    if (above > 0)
      console.log(
        `${source}, ${own[0]!.label === 1 ? 'found' : 'false positives'}: ${above} of ${own.length}`,
      );
  }
  const { bytes, scale } = quantize(learned.values);
  const stored = {
    origin: { data: digestOf(examples), reading: digestStructure() },
    threshold: round(threshold),
    slope: round(slope),
    scale,
    bias: learned.bias,
    values: Buffer.from(bytes.buffer).toString('base64'),
  };
  writeFileSync(path.join(values.out, 'weights-structure.json'), `${JSON.stringify(stored)}\n`);
  return 0;
}

const NOTHING = -20;
const workspace = new Workspace();

/** Returns the sum of this reading and of the others, as the engine makes it. */
function sumOf(example: StructureExample, weights: Parameters<typeof scoreStructured>[1]): number {
  const score = scoreStructured(example, weights);
  if (score === undefined) return NOTHING;
  const others = workspace.withText(normalizeText(example.row.text, workspace).text, (text) =>
    readAttacks(text, true, workspace, { isScored: true }),
  );
  return structureSum(score, others.logOdds);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

function digestOf(examples: readonly StructureExample[]): string {
  const hash = createHash('sha256');
  for (const { row } of examples) hash.update(`${JSON.stringify([row.text, row.label, row.weight])}\n`);
  return hash.digest('hex');
}

if (import.meta.main) process.exitCode = main();
