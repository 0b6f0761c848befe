import type { PiiType } from '../../contract/index.ts';

/** A piece of personal data or a secret: half-open UTF-16 range in the text that was read. */
export interface PiiSpan {
  readonly start: number;
  readonly end: number;
  readonly type: PiiType;
  /** Which recogniser or key kind, such as `email` or `github-pat`. */
  readonly rule: string;
  readonly confidence: number;
}

export const PII_MASKS: Readonly<Record<PiiType, string>> = {
  email: '[EMAIL]',
  phone: '[PHONE]',
  ssn: '[SSN]',
  credit_card: '[CREDIT_CARD]',
  api_key: '[API_KEY]',
  ip_address: '[IP_ADDRESS]',
};

/**
 * What is written in a span's place. A bare JSON number gets quotes, so that the document stays one:
 * `{"card": 4111…}` becomes `{"card": "[CREDIT_CARD]"}`.
 */
export function maskFor(text: string, span: PiiSpan): string {
  const mask = PII_MASKS[span.type];
  const code = text.charCodeAt(span.start);
  if (code < 48 || code > 57 || text.charCodeAt(span.end) === 34) return mask;
  const before = text.slice(Math.max(0, span.start - 40), span.start);
  const isValue =
    /"\s{0,4}:\s{0,30}$/.test(before) || (/[[,]\s{0,38}$/.test(before) && /^\s*[[{]/.test(text));
  return isValue && /^\s{0,38}[,}\]]/.test(text.slice(span.end, span.end + 40)) ? `"${mask}"` : mask;
}
