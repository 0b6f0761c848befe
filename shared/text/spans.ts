/** A half-open range of UTF-16 indexes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Replacement extends Span {
  readonly text: string;
}

/**
 * Sorts spans and merges overlapping ones into the one that starts first (at the same start: the longer), which is
 * extended to cover them all, so that no finding is lost.
 */
export function withoutOverlaps<T extends Span>(spans: readonly T[]): T[] {
  if (spans.length === 0) return [];
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: T[] = [];
  for (const span of sorted) {
    if (span.end <= span.start) continue;
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}

/** Applies replacements in any order; overlapping ones are merged as in withoutOverlaps. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let out = '';
  let at = 0;
  for (const replacement of withoutOverlaps(replacements)) {
    out += text.slice(at, replacement.start) + replacement.text;
    at = replacement.end;
  }
  return out + text.slice(at);
}
