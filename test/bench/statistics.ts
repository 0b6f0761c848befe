export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Round by round, in order. */
  readonly rounds: readonly number[];
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between the two nearest. NaN for an empty list. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export function summarize(values: readonly number[]): Summary {
  return {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    rounds: values,
  };
}

/**
 * Median of the rounds' own ratios. Of two rounds one after the other, what slows the machine for a while slows both:
 * that is why this is steadier than the ratio of two medians. Null where either was not measured.
 */
export function ratioByRound(
  over: readonly number[] | undefined,
  under: readonly number[] | undefined,
): number | null {
  if (over === undefined || under === undefined) return null;
  return median(over.slice(0, under.length).map((value, round) => value / under[round]!));
}
