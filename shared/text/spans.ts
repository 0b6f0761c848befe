import { finish, pausing, type Steps } from './steps.ts';

/** Spans between two pauses. */
const STRIDE = 512;

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
  return spans.length === 0 ? [] : finish(withoutOverlapsInSteps(spans));
}

/** Does the same in steps. */
export function* withoutOverlapsInSteps<T extends Span>(spans: readonly T[]): Steps<T[]> {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: T[] = [];
  const add = (span: T): void => {
    if (span.end <= span.start) return;
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  };
  yield* pausing(sorted, add, STRIDE);
  return result;
}

/** Applies replacements in any order; overlapping ones are merged as in withoutOverlaps. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  return replacements.length === 0 ? text : finish(applyReplacementsInSteps(text, replacements));
}

/** Does the same in steps. */
export function* applyReplacementsInSteps(text: string, replacements: readonly Replacement[]): Steps<string> {
  let out = '';
  let at = 0;
  const apply = (replacement: Replacement): void => {
    out += text.slice(at, replacement.start) + replacement.text;
    at = replacement.end;
  };
  yield* pausing(yield* withoutOverlapsInSteps(replacements), apply, STRIDE);
  return out + text.slice(at);
}

/** True for the second half of a surrogate pair. */
export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
