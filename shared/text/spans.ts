/** A half-open range of UTF-16 indexes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Replacement extends Span {
  readonly text: string;
}

/**
 * Sorts replacements and drops those that overlap an earlier, longer or higher-placed one, so that the result
 * can be applied. Of two that overlap the one that starts first wins; from the same start, the longer.
 */
export function withoutOverlaps<T extends Span>(spans: readonly T[]): T[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: T[] = [];
  let end = -1;
  for (const span of sorted) {
    if (span.start < end || span.end <= span.start) continue;
    kept.push(span);
    end = span.end;
  }
  return kept;
}

/** Applies replacements that do not overlap. Order does not matter. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let out = '';
  let at = 0;
  for (const replacement of withoutOverlaps(replacements)) {
    out += text.slice(at, replacement.start) + replacement.text;
    at = replacement.end;
  }
  return out + text.slice(at);
}
