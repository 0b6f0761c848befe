import { PII_TYPES, type PiiType } from '../contract/index.ts';
import { applyReplacements, type Replacement, withoutOverlaps } from '../text/index.ts';
import { clean, originalRange } from './normalize/clean.ts';
import { findPii } from './pii/find-pii.ts';
import { PII_MASKS } from './pii/spans.ts';
import { findSecrets } from './secrets/find-secrets.ts';

export interface RedactResult {
  readonly redacted: string;
  /** Types that were found and replaced, in the contract's order. */
  readonly found: PiiType[];
}

/** For POST /security/redact: the types asked for, whatever the project's preset says. */
export function redactPii(text: string, types: readonly PiiType[]): RedactResult {
  const cleaned = clean(text);
  const spans = [...findSecrets(cleaned.text), ...findPii(cleaned.text)];
  const kept = withoutOverlaps(
    spans
      .filter((span) => types.includes(span.type))
      .map((span) => ({
        ...originalRange(cleaned, span.start, span.end),
        type: span.type,
        text: PII_MASKS[span.type],
      })),
  );
  const replacements: readonly Replacement[] = kept;
  return {
    redacted: applyReplacements(text, replacements),
    found: PII_TYPES.filter((type) => kept.some((span) => span.type === type)),
  };
}
