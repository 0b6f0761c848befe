export type Rounds = readonly (number | null)[];

export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Round by round, in order; null where it stood aside. */
  readonly rounds: Rounds;
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

export function summarize(rounds: Rounds): Summary {
  const values = rounds.filter((value) => value !== null);
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), rounds };
}

/**
 * Median of the rounds' own ratios. Of two rounds one after the other, what slows the machine for a while slows both:
 * that is why this is steadier than the ratio of two medians. Null where no round has both.
 */
export function ratioByRound(over: Rounds | undefined, under: Rounds | undefined): number | null {
  const ratios = (over ?? []).flatMap((value, round) => {
    const other = under?.[round] ?? null;
    return value === null || other === null ? [] : [value / other];
  });
  return ratios.length === 0 ? null : median(ratios);
}
