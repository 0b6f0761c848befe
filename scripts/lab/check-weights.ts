/**
 * Checks the `origin` of the shipped weights: their training data, and how the code read texts at that time. Fails if
 * the current code reads differently, because the weights then refer to features that no longer exist.
 *   npm run lab -- check-weights [--accept REASON]   accepts the current reading after its quality was measured
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from '../options.ts';
import { digestGuarded, digestNgrams, digestReading, digestStructure } from './detector/reading-digest.ts';

export interface WeightsOrigin {
  /** SHA-256 of all training texts with their labels. Null: not recorded. */
  readonly data: string | null;
  /** Digest of the probe texts as read when the weights were trained. Null: not recorded. */
  readonly reading: string | null;
  /** The digest of a later reading, and why it needs no new training. */
  readonly accepted?: { readonly reading: string; readonly because: string };
}

/** Files of weights, and the digest of the reading for each. */
const READINGS = {
  user: () => digestReading('user'),
  data: () => digestReading('data'),
  'ngrams-user': () => digestNgrams(),
  'ngrams-data': () => digestNgrams(),
  guarded: () => digestGuarded(),
  structure: () => digestStructure(),
} as const;
type Weights = keyof typeof READINGS;
const NAMES = Object.keys(READINGS) as Weights[];

export const weightsFile = (root: string, name: Weights): string =>
  path.join(root, `shared/detection/model/weights-${name}.json`);

/** Returns the problem with the origin of one reading's weights; undefined if the code reads as recorded. */
export function originProblem(
  kind: Weights,
  origin: WeightsOrigin | undefined,
  reading: string,
): string | undefined {
  if (origin === undefined) return `weights-${kind}.json does not name its training data`;
  if ((origin.accepted?.reading ?? origin.reading) === reading) return undefined;
  return (
    `weights-${kind}.json was trained with other features: the code, the lexicon or the ` +
    'normalization has changed. Train again (docs/detection.md), or measure with npm run eval and then run ' +
    'npm run lab -- check-weights --accept "what was measured"'
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
  const root = path.resolve(import.meta.dirname, '../..');
  const values = readOptions({
    command: 'npm run lab -- check-weights',
    about:
      'Compares the features that the detector extracts from fixed texts with those recorded at training.',
    options: {
      accept: {
        type: 'string',
        value: 'REASON',
        help: 'Record the current features; REASON describes the measurement',
      },
    },
  });
  if (values.accept !== undefined) accept(root, values.accept);
  const problems = checkWeights(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
