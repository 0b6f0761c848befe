export interface SourcedMargin {
  readonly margin: number;
  readonly label: 0 | 1;
  readonly source: string;
}

/** Returns the margin that at most `share` of any harmless source exceeds; ignores sources of fewer than 100 texts. */
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

/** Returns the margin that at most `share` of all harmless texts exceeds. */
export function pooledThreshold(margins: readonly SourcedMargin[], share: number): number {
  const harmless = margins.filter(({ label }) => label === 0).map(({ margin }) => margin);
  harmless.sort((a, b) => b - a);
  return harmless[Math.floor(harmless.length * share)] ?? 0;
}
