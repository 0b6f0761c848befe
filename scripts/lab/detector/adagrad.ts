/** Weights of features, by their index. */
export interface LinearWeights {
  readonly values: Float32Array;
  bias: number;
}

export interface AdaGradRates {
  readonly rate: number;
  readonly biasRate: number;
  /** Decay of each weight at each update. */
  readonly decay?: number;
}

/** Smaller errors are ignored. */
export const MIN_ERROR = 1e-3;

/** The difference between the probability of the log-odds and the target share. */
export const errorOf = (logOdds: number, share: number): number => 1 / (1 + Math.exp(-logOdds)) - share;

/** Logistic regression with AdaGrad: the more a weight has changed, the less it changes from then on. */
export class AdaGrad {
  readonly weights: LinearWeights;
  private readonly squares: Float32Array;
  private biasSquare = 1;
  private readonly rates: AdaGradRates;

  constructor(size: number, rates: AdaGradRates) {
    this.weights = { values: new Float32Array(size), bias: -1 };
    this.squares = new Float32Array(size).fill(0.01);
    this.rates = rates;
  }

  update(features: ArrayLike<number>, gradient: number): void {
    const { squares, weights } = this;
    const { rate, decay = 0 } = this.rates;
    for (let i = 0; i < features.length; i++) {
      const feature = features[i]!;
      const value = weights.values[feature]!;
      const step = gradient + decay * value;
      squares[feature]! += step * step;
      weights.values[feature] = value - (rate * step) / Math.sqrt(squares[feature]!);
    }
  }

  updateBias(error: number): void {
    this.biasSquare += error * error;
    this.weights.bias -= (this.rates.biasRate * error) / Math.sqrt(this.biasSquare);
  }
}

/** Averages several runs, which gives one linear model with less noise. */
export function averageRuns(
  size: number,
  seeds: readonly number[],
  learn: (seed: number) => LinearWeights,
): LinearWeights {
  const mean: LinearWeights = { values: new Float32Array(size), bias: 0 };
  for (const seed of seeds) {
    const { values, bias } = learn(seed);
    for (let i = 0; i < size; i++) mean.values[i]! += values[i]! / seeds.length;
    mean.bias += bias / seeds.length;
  }
  return mean;
}
