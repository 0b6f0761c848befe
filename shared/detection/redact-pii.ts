import { PII_TYPES, type PiiType } from '../contract/index.ts';
import { applyReplacements, type Replacement, withoutOverlaps } from '../text/index.ts';
import { clean, originalRange } from './normalize/clean.ts';
import { findPii } from './pii/find-pii.ts';
import { maskFor, type PiiSpan } from './pii/spans.ts';
import { findSecrets } from './secrets/find-secrets.ts';

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
  const spans = [...findSecrets(cleaned.text), ...findPii(cleaned.text)];
  return withoutOverlaps(spans.map((span) => ({ ...span, ...originalRange(cleaned, span.start, span.end) })));
}

/** For POST /security/redact: the types asked for, whatever the project's preset says. */
export function redactPii(text: string, types: readonly PiiType[]): RedactResult {
  const kept = piiSpans(text).filter((span) => types.includes(span.type));
  const replacements: Replacement[] = kept.map((span) => ({
    start: span.start,
    end: span.end,
    text: maskFor(text, span),
  }));
  return {
    redacted: applyReplacements(text, replacements),
    found: PII_TYPES.filter((type) => kept.some((span) => span.type === type)),
    count: kept.length,
  };
}
