export interface Margin {
  readonly margin: number;
  readonly label: 0 | 1;
}

export interface SourcedMargin extends Margin {
  readonly source: string;
}

/** The margin that no more than `share` of any harmless source is above; sources of fewer than 100 texts do not vote. */
export function worstSourceThreshold(margins: readonly SourcedMargin[], share: number): number {
  const bySource = new Map<string, number[]>();
  for (const { margin, label, source } of margins) {
    if (label === 1) continue;
    const list = bySource.get(source) ?? [];
    list.push(margin);
    bySource.set(source, list);
  }
  let worst = Number.NEGATIVE_INFINITY;
  for (const list of bySource.values()) {
    if (list.length < 100) continue;
    list.sort((a, b) => b - a);
    worst = Math.max(worst, list[Math.floor(list.length * share)]!);
  }
  return worst;
}

/** The margin that no more than `share` of all harmless texts together are above. */
export function pooledThreshold(margins: readonly SourcedMargin[], share: number): number {
  const harmless = margins.filter(({ label }) => label === 0).map(({ margin }) => margin);
  harmless.sort((a, b) => b - a);
  return harmless[Math.floor(harmless.length * share)] ?? 0;
}

/**
 * Margins -> share of attacks, by pooling neighbours that are out of order (isotonic regression), thinned to a few points,
 * and held at or below one half up to `threshold`. Never says 0 or 1: what was seen is finite.
 */
export function calibrate(margins: readonly Margin[], threshold: number): [number, number][] {
  const sorted = [...margins].filter((m) => Number.isFinite(m.margin)).sort((a, b) => a.margin - b.margin);
  const pools: { from: number; to: number; attacks: number; total: number }[] = [];
  for (const { margin, label } of sorted) {
    pools.push({ from: margin, to: margin, attacks: label, total: 1 });
    while (pools.length > 1) {
      const last = pools[pools.length - 1]!;
      const before = pools[pools.length - 2]!;
      const inOrder = before.attacks / before.total < last.attacks / last.total;
      if (inOrder && before.total >= 12) break;
      pools.splice(-2, 2, {
        from: before.from,
        to: last.to,
        attacks: before.attacks + last.attacks,
        total: before.total + last.total,
      });
    }
  }
  const points: [number, number][] = [];
  const add = (margin: number, share: number) => {
    const previous = points[points.length - 1];
    if (previous !== undefined && (margin <= previous[0] || share <= previous[1])) return;
    points.push([round(margin), round(share)]);
  };
  // below the threshold attacks count for less, so that the curve reaches one half there and not before
  const atThreshold = pools.find((pool) => pool.to >= threshold) ?? pools[pools.length - 1]!;
  const odds = (pool: (typeof pools)[number]) => (pool.attacks + 0.2) / (pool.total - pool.attacks + 0.2);
  const factor = Math.min(1, 1 / odds(atThreshold));
  const lowered = (pool: (typeof pools)[number]) => (odds(pool) * factor) / (1 + odds(pool) * factor);
  for (const pool of pools) {
    const share = Math.min(0.99, Math.max(0.01, (pool.attacks + 0.2) / (pool.total + 0.4)));
    const margin = (pool.from + pool.to) / 2;
    if (margin < threshold) add(margin, Math.min(Math.max(0.01, lowered(pool)), 0.49));
    else {
      if (points.length === 0 || points[points.length - 1]![1] < 0.5) add(threshold, 0.5);
      add(Math.max(pool.from, threshold + 0.3), Math.max(share, 0.51));
      add(pool.to, Math.min(0.99, share + 0.01));
    }
  }
  return points;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
