import { PII_TYPES, type PiiType } from '../contract/index.ts';
import { applyReplacements, withoutOverlaps } from '../text/index.ts';
import { clean, originalRange } from './normalize/clean.ts';
import { findSensitive, findSmuggled } from './pii/find-sensitive.ts';
import { maskFor, type PiiSpan } from './pii/spans.ts';

export interface RedactResult {
  readonly redacted: string;
  /** Types that were found and replaced, in the contract's order. */
  readonly found: PiiType[];
  /** How many places were replaced. */
  readonly count: number;
}

/** Personal data and secrets of all six types, in order and apart. Offsets are UTF-16 indexes into `text`. */
export function piiSpans(text: string): PiiSpan[] {
  const cleaned = clean(text);
  const spans = findSensitive(cleaned).map((span) => ({
    ...span,
    ...originalRange(cleaned, span.start, span.end),
  }));
  const smuggled = findSmuggled(cleaned);
  return withoutOverlaps(smuggled === undefined ? spans : [...spans, smuggled]);
}

/** What a mask brings to light is masked too; more often than this it never does. */
const MAX_PASSES = 4;

/** For POST /security/redact: the types asked for, whatever the project's preset says. */
export function redactPii(text: string, types: readonly PiiType[]): RedactResult {
  const found = new Set<PiiType>();
  let redacted = text;
  let count = 0;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = redacted;
    const kept = piiSpans(before).filter((span) => types.includes(span.type));
    if (kept.length === 0) break;
    const replacements = kept.map((span) => ({
      start: span.start,
      end: span.end,
      text: maskFor(before, span),
    }));
    redacted = applyReplacements(before, replacements);
    count += kept.length;
    for (const span of kept) found.add(span.type);
  }
  return { redacted, found: PII_TYPES.filter((type) => found.has(type)), count };
}
