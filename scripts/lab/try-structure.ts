/**
 * `npm run lab -- try-structure --data DIR`: how far the structure of a sentence finds orders that are planted in data.
 * Learns from texts of training, with the authors of --held left out, and prints what thresholds find and what they
 * cost, alone and beside the engine. The engine does not use it yet.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OrderReader } from '../../shared/detection/units/order-reader.ts';
import { withheldIn } from '../../test/support/planted/measure.ts';
import { seededRandom } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import { featuresOf } from './structure/features.ts';
import { fit, logOddsOf, weightsOf } from './structure/fit.ts';

interface Row {
  readonly text: string;
  readonly label: 0 | 1;
  readonly role?: string;
  readonly author?: string;
  readonly category?: string;
}

const SHARES = [0.001, 0.003, 0.006, 0.01, 0.02];
/** Kinds of honest results that speak of attacks or to agents. */
const HARD = /agent_file|code_prompts|security_writing/;

const values = readOptions({
  command: 'npm run lab -- try-structure',
  about: 'Learns the structure of planted orders, and prints what thresholds find and what they cost.',
  options: {
    data: { type: 'string', value: 'DIR', help: 'Folder with detection and traffic (or TRAINING_DATA_DIR)' },
    held: {
      type: 'string',
      value: 'LIST',
      help: 'Authors that are not learned from',
      default: 'writer-4,writer-6,writer-8',
    },
    seed: { type: 'string', value: 'N', help: 'Seed', default: '1' },
  },
});
const folder = values.data ?? process.env['TRAINING_DATA_DIR'] ?? '';
if (!existsSync(path.join(folder, 'detection'))) {
  console.error('Name the folder of the data with --data DIR.');
  process.exit(2);
}
const reader = new OrderReader();
const held = new Set(values.held.split(','));
const read = (file: string): Row[] =>
  readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
    .filter(({ role }) => role !== 'user');
const some = <T>(rows: readonly T[], count: number): T[] =>
  rows.filter((_, index) => index % Math.ceil(rows.length / count) === 0);
const examples = (rows: readonly Row[], weight = 1) =>
  rows.map(({ text, label }) => ({
    text,
    weight,
    isAttack: label === 1,
    sentences: featuresOf(text, reader).map(weightsOf),
  }));

const written = read('detection/written.jsonl');
const published = read('detection/attacks-more.jsonl');
const isHeld = ({ author = '' }: Row): boolean => held.has(author);
const training = [
  ...examples(written.filter((row) => !isHeld(row))),
  ...examples(
    some(
      published.filter(({ label }) => label === 0),
      400,
    ),
  ),
  ...examples(
    some(
      published.filter(({ label }) => label === 1),
      500,
    ),
    0.5,
  ),
  ...examples(some(read('detection/more/attacks.train.jsonl'), 600), 0.5),
  ...examples(read('detection/more/harmless.train.jsonl')),
  ...examples(read('traffic/tool-results.train.jsonl'), 2),
  ...examples(read('traffic/about-attacks.train.jsonl'), 2),
];
const ordinary = read('detection/ordinary.dev.jsonl');
const named = (pattern: RegExp, label: 0 | 1): Row[] =>
  ordinary.filter((row) => row.label === label && pattern.test(row.category ?? ''));
const sets = {
  'honest results': examples(read('traffic/tool-results.dev.jsonl')),
  'about attacks': examples(read('traffic/about-attacks.dev.jsonl')),
  'attacks of other authors': examples(written.filter((row) => isHeld(row) && row.label === 1)),
  'their twins': examples(written.filter((row) => isHeld(row) && row.label === 0)),
  loud: examples(named(/loud/, 1)),
  quiet: examples(named(/quiet/, 1)),
  ordinary: examples(ordinary.filter((row) => row.label === 0 && !HARD.test(row.category ?? ''))),
  hard: examples(named(HARD, 0)),
};
const weights = fit(training, seededRandom(Number(values.seed)));
const isSmall = (name: string): boolean => ['loud', 'quiet', 'ordinary', 'hard'].includes(name);
const costs = sets['honest results']
  .map(({ sentences }) => logOddsOf(weights, sentences))
  .sort((a, b) => b - a);

for (const share of SHARES) {
  const threshold = costs[Math.floor(costs.length * share)]!;
  console.log(`\nat ${(share * 100).toFixed(1)} % of honest results (log-odds ${threshold.toFixed(2)})`);
  for (const [name, list] of Object.entries(sets)) {
    const found = list.map(({ sentences }) => logOddsOf(weights, sentences) >= threshold);
    const beside = isSmall(name)
      ? list.filter(({ text }, index) => found[index] || withheldIn(text).length > 0)
      : [];
    const alone = (found.filter(Boolean).length / list.length).toFixed(3);
    const both = isSmall(name) ? `  with the engine ${(beside.length / list.length).toFixed(3)}` : '';
    console.log(`  ${name.padEnd(26)}${alone}${both}`);
  }
}
