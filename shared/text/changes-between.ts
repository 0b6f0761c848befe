import type { Replacement } from './spans.ts';

/** Placeholders such as `[EMAIL]` and `[WITHHELD: instruction in untrusted content]`. */
const PLACEHOLDER = /(\[[A-Z][A-Z_]+(?:: [a-z ]{1,60})?\])/;

/**
 * Returns the replacements that turn `before` into `after`, if `after` is `before` with placeholders; otherwise one
 * replacement of the whole text. Both yield `after`, but only exact positions keep JSON in a string valid.
 */
export function changesBetween(before: string, after: string): Replacement[] {
  const whole = [{ start: 0, end: before.length, text: after }];
  const pieces = after.split(PLACEHOLDER);
  const first = pieces[0] ?? '';
  if (!before.startsWith(first)) return whole;
  const changes: Replacement[] = [];
  let at = first.length;
  for (let i = 1; i < pieces.length; i += 2) {
    const text = pieces[i]!;
    const next = pieces[i + 1] ?? '';
    const isLast = i + 2 >= pieces.length;
    const end = isLast ? before.length - next.length : before.indexOf(next, at + 1);
    if (end <= at || !before.startsWith(next, end)) return whole;
    if (before.slice(at, end) !== text) changes.push({ start: at, end, text });
    at = end + next.length;
  }
  return at === before.length ? changes : whole;
}
