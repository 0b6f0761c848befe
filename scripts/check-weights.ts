/**
 * The weights that ship say what they were learned from, and how the code read then: `origin` in their files. Fails if
 * today's code reads otherwise, because then they weigh features that are no longer there.
 *   check-weights.ts [--accept REASON]   accepts how the code reads now, once the quality was measured (`npm run eval`)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestGuarded, digestNgrams, digestReading } from './detector/reading-digest.ts';
import { readOptions } from './options.ts';

export interface WeightsOrigin {
  /** SHA-256 of all texts that were learned from, with their labels. Null: it was not written down at the time. */
  readonly data: string | null;
  /** How the code read the probe texts when the weights were learned. Null: it was not written down at the time. */
  readonly reading: string | null;
  /** How it reads them since then, and why that is good enough without learning anew. */
  readonly accepted?: { readonly reading: string; readonly because: string };
}

/** Files of weights, and how the code reads texts for each. */
const READINGS = {
  user: () => digestReading('user'),
  data: () => digestReading('data'),
  'ngrams-user': () => digestNgrams(),
  'ngrams-data': () => digestNgrams(),
  guarded: () => digestGuarded(),
} as const;
type Weights = keyof typeof READINGS;
const NAMES = Object.keys(READINGS) as Weights[];

export const weightsFile = (root: string, name: Weights): string =>
  path.join(root, `shared/detection/model/weights-${name}.json`);

/** What is wrong with the origin of one reading's weights; nothing if the code reads as it says. */
export function originProblem(
  kind: Weights,
  origin: WeightsOrigin | undefined,
  reading: string,
): string | undefined {
  if (origin === undefined) return `weights-${kind}.json does not say what it was learned from`;
  if ((origin.accepted?.reading ?? origin.reading) === reading) return undefined;
  return (
    `weights-${kind}.json was learned from texts that the code reads otherwise now: a feature, the lexicon or the ` +
    'normalization has changed. Train again (docs/detection.md), or measure with npm run eval and run ' +
    'node scripts/bootstrap.mjs scripts/check-weights.ts --accept "what was measured"'
  );
}

export function checkWeights(root: string): string[] {
  return NAMES.flatMap((name) => originProblem(name, readStored(root, name).origin, READINGS[name]()) ?? []);
}

function accept(root: string, because: string): void {
  for (const kind of NAMES) {
    const { origin, ...stored } = readStored(root, kind);
    if (origin === undefined) throw new Error(`weights-${kind}.json has no origin`);
    const reading = READINGS[kind]();
    const { accepted: _before, ...learned } = origin;
    const next = reading === origin.reading ? learned : { ...learned, accepted: { reading, because } };
    writeFileSync(weightsFile(root, kind), `${JSON.stringify({ origin: next, ...stored })}\n`);
  }
}

function readStored(root: string, kind: Weights): { readonly origin?: WeightsOrigin } {
  return JSON.parse(readFileSync(weightsFile(root, kind), 'utf8')) as { readonly origin?: WeightsOrigin };
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const values = readOptions({
    command: 'scripts/check-weights.ts',
    about: 'Compares how the detector reads texts with how it read them when it was trained.',
    options: { accept: { type: 'string', value: 'REASON', help: 'Takes what is read today as right' } },
  });
  if (values.accept !== undefined) accept(root, values.accept);
  const problems = checkWeights(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
