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
