import type { PiiType } from '../contract/index.ts';
import { applyReplacements, type Replacement, withoutOverlaps } from '../text/index.ts';

export interface PiiSpan {
  readonly start: number;
  readonly end: number;
  readonly type: PiiType;
}

export const PII_MASKS: Readonly<Record<PiiType, string>> = {
  email: '[EMAIL]',
  phone: '[PHONE]',
  ssn: '[SSN]',
  credit_card: '[CREDIT_CARD]',
  api_key: '[API_KEY]',
  ip_address: '[IP_ADDRESS]',
};

export interface RedactResult {
  readonly redacted: string;
  /** Types that were found and replaced, in the contract's order. */
  readonly found: PiiType[];
}

/** For POST /security/redact: the types asked for, whatever the project's preset says. */
export function redactPii(text: string, types: readonly PiiType[]): RedactResult {
  const spans: (Replacement & { type: PiiType })[] = [];
  for (const match of text.matchAll(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g)) {
    spans.push({ start: match.index, end: match.index + match[0].length, text: '[EMAIL]', type: 'email' });
  }
  for (const match of text.matchAll(/\b\d{3}-\d{2}-\d{4}\b/g)) {
    spans.push({ start: match.index, end: match.index + match[0].length, text: '[SSN]', type: 'ssn' });
  }
  const kept = withoutOverlaps(spans.filter((span) => types.includes(span.type)));
  return {
    redacted: applyReplacements(text, kept),
    found: types.filter((type) => kept.some((span) => span.type === type)),
  };
}
