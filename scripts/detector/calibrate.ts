export interface Margin {
  readonly margin: number;
  readonly label: 0 | 1;
}

/**
 * Margins -> share of attacks, by pooling neighbours that are out of order (isotonic regression), thinned to a few points.
 * Never says 0 or 1: what was seen is finite.
 */
export function calibrate(margins: readonly Margin[]): [number, number][] {
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
  for (const pool of pools) {
    const share = round(Math.min(0.99, Math.max(0.01, (pool.attacks + 0.2) / (pool.total + 0.4))));
    const margin = round((pool.from + pool.to) / 2);
    const previous = points[points.length - 1];
    if (previous !== undefined && (margin <= previous[0] || share <= previous[1])) continue;
    points.push([margin, share]);
  }
  return points;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
