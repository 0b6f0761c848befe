import { applyReplacements, withoutOverlaps } from '../text/index.ts';
import { PII_TYPES, type PiiType } from '../vocabulary/index.ts';
import { normalizeText } from './normalize/normalize-text.ts';
import { findSensitive, type SensitiveSpan } from './pii/find-sensitive.ts';
import { placeholderFor } from './pii/placeholder.ts';
import { isOptIn, type SensitiveType } from './pii/registry.ts';
import { Workspace } from './workspace.ts';

export interface RedactResult {
  readonly redacted: string;
  /** Types that were found and replaced, in the contract's order. */
  readonly found: PiiType[];
  /** The number of replacements. */
  readonly count: number;
}

/**
 * Finds personal data and secrets of the requested types, in order and without overlaps; opt-in types only if they are
 * among them. Offsets are UTF-16 indexes into `text`.
 */
export function piiSpans(
  text: string,
  types: readonly SensitiveType[] = PII_TYPES,
  workspace = new Workspace(),
): SensitiveSpan[] {
  const cleaned = normalizeText(text, workspace);
  const spans = workspace.withText(cleaned.text, (read) =>
    findSensitive(text, cleaned, read, workspace, types.filter(isOptIn)),
  );
  return withoutOverlaps(spans.filter(({ type }) => types.includes(type)));
}

/** Redacts the requested types, whatever the project's preset says. For POST /security/redact. */
export function redactPii(
  text: string,
  types: readonly PiiType[],
  workspace = new Workspace(),
): RedactResult {
  const spans = piiSpans(text, types, workspace);
  const redacted = applyReplacements(
    text,
    spans.map((span) => ({ start: span.start, end: span.end, text: placeholderFor(text, span) })),
  );
  const found = new Set<SensitiveType>(spans.map(({ type }) => type));
  return { redacted, found: PII_TYPES.filter((type) => found.has(type)), count: spans.length };
}
