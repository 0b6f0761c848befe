import { FEATURES } from './features.ts';

const COUNT = FEATURES.length;
/** Weights: the bias, each feature, each pair of two. */
const WEIGHTS = 1 + COUNT + (COUNT * (COUNT - 1)) / 2;
const EPOCHS = 30;
const RATE = 0.05;
const DECAY = 0.0005;
const HARMLESS_WEIGHT = 1.5;
/** Where the search for the decisive sentence of an attack begins. */
const FIRST_GUESS: Readonly<Record<string, number>> = {
  assistant: 0.5,
  concealment: 0.5,
  user: 0.5,
  authority: 0.5,
  condition: 0.5,
  address: 0.5,
};

export interface Example {
  readonly isAttack: boolean;
  /** The weights that each of its sentences has. */
  readonly sentences: readonly (readonly number[])[];
  readonly weight: number;
}

/** Returns the indexes of the weights of a sentence: the bias, its features and their pairs. */
export function weightsOf(features: readonly number[]): number[] {
  const on = [0, ...features.map((feature) => 1 + feature)];
  for (const [at, one] of features.entries())
    for (const other of features.slice(at + 1))
      on.push(1 + COUNT + (one * (2 * COUNT - one - 1)) / 2 + (other - one - 1));
  return on;
}

/** Returns the log-odds of the strongest sentence; -99 if none may be part of an order. */
export function logOddsOf(weights: Float64Array, sentences: Example['sentences']): number {
  return Math.max(
    -99,
    ...sentences.map((sentence) => sentence.reduce((sum, weight) => sum + weights[weight]!, 0)),
  );
}

/** Learns from texts of which only the strongest sentence counts. `random`: 0 to 1, seeded. */
export function fit(examples: readonly Example[], random: () => number): Float64Array {
  const weights = new Float64Array(WEIGHTS);
  weights[0] = -3;
  for (const [index, name] of FEATURES.entries()) weights[1 + index] = FIRST_GUESS[name] ?? 0;
  const order = examples.filter(({ sentences }) => sentences.length > 0);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE / (1 + epoch * 0.3);
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other]!, order[last]!];
    }
    for (const example of order) learn(weights, example, rate);
  }
  return weights;
}

function learn(weights: Float64Array, { isAttack, sentences, weight }: Example, rate: number): void {
  const scored = sentences.map((sentence) => ({ sentence, logOdds: logOddsOf(weights, [sentence]) }));
  const best = scored.reduce((one, other) => (other.logOdds > one.logOdds ? other : one));
  const error = Number(isAttack) - 1 / (1 + Math.exp(-best.logOdds));
  const change = error * weight * (isAttack ? 1 : HARMLESS_WEIGHT) * rate;
  for (const index of best.sentence)
    weights[index]! += change - (index === 0 ? 0 : rate * DECAY * weights[index]!);
}
