import { readSentenceTypes } from '../../../shared/detection/model/sentence-type.ts';
import { normalizeText } from '../../../shared/detection/normalize/normalize-text.ts';
import { MAX_PIECE } from '../../../shared/detection/read/tokenized-text.ts';
import { STRUCTURE_SIZE } from '../../../shared/detection/structure/features.ts';
import { eachSuspect, ofSentences, shareOf } from '../../../shared/detection/structure/score-structure.ts';
import { Workspace } from '../../../shared/detection/workspace.ts';
import { createRandom } from '../../../test/support/random.ts';
import { AdaGrad, averageRuns, errorOf, type LinearWeights, MIN_ERROR } from './adagrad.ts';

/** A text of data that has a planted order or not. */
export interface StructureRow {
  readonly text: string;
  readonly label: 0 | 1;
  /** Author or origin of the text. */
  readonly source: string;
  /** Weight in training. */
  readonly weight: number;
}

export interface StructureExample {
  readonly row: StructureRow;
  /** The features of each sentence that may be part of an order. */
  readonly sentences: readonly Int32Array[];
}

const workspace = new Workspace();

export function compileStructure(row: StructureRow): StructureExample {
  const sentences: Int32Array[] = [];
  workspace.withWords(normalizeText(row.text, workspace).text, MAX_PIECE, (reading, text) => {
    readSentenceTypes(text.string, reading);
    eachSuspect(text, reading, (_unit, { entries, count }) => sentences.push(entries.slice(0, count)));
  });
  return { row, sentences };
}

/** Returns the score of a text; undefined if no sentence may be part of an order. */
export function scoreStructured({ sentences }: StructureExample, weights: LinearWeights): number | undefined {
  if (sentences.length === 0) return undefined;
  return ofSentences(strongest(sentences, weights).score, sentences.length);
}

const ROUNDS = 12;
const RATES = { rate: 0.1, biasRate: 0.05, decay: 1e-5 };
/** Soft targets: no label is certain, and many orders have no structure. */
const TARGETS = [0.02, 0.95] as const;

/** Only the strongest sentence of a text is trained. */
function learnStructure(examples: readonly StructureExample[], seed: number): LinearWeights {
  const random = createRandom(seed);
  const model = new AdaGrad(STRUCTURE_SIZE, RATES);
  let order: readonly StructureExample[] = examples.filter(({ sentences }) => sentences.length > 0);
  for (let round = 0; round < ROUNDS; round++) {
    order = random.shuffled(order);
    for (const { row, sentences } of order) {
      const { features, score } = strongest(sentences, model.weights);
      const error = errorOf(ofSentences(score, sentences.length), TARGETS[row.label]) * row.weight;
      if (Math.abs(error) < MIN_ERROR) continue;
      model.update(features, error * shareOf(features.length));
      model.updateBias(error);
    }
  }
  return model.weights;
}

function strongest(
  sentences: readonly Int32Array[],
  { values, bias }: LinearWeights,
): { readonly features: Int32Array; readonly score: number } {
  let best = { features: sentences[0]!, score: Number.NEGATIVE_INFINITY };
  for (const features of sentences) {
    let sum = 0;
    for (let at = 0; at < features.length; at++) sum += values[features[at]!]!;
    const score = sum * shareOf(features.length) + bias;
    if (score > best.score) best = { features, score };
  }
  return best;
}

export function learnStructureAveraged(
  examples: readonly StructureExample[],
  seeds: readonly number[],
): LinearWeights {
  return averageRuns(STRUCTURE_SIZE, seeds, (seed) => learnStructure(examples, seed));
}
