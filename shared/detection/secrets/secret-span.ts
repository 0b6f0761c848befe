import type { PiiSpan } from '../pii/spans.ts';

export const ASSIGNED = 'assigned-secret';
export const URL_PASSWORD = 'url-password';

/** True for what its own form identifies as a key: no other value lies in it. */
export function isKnownKey({ rule }: PiiSpan): boolean {
  return rule !== `secret.${ASSIGNED}` && rule !== `secret.${URL_PASSWORD}`;
}

export function secretSpan(start: number, end: number, rule: string, confidence: number): PiiSpan {
  return { start, end, type: 'api_key', rule: `secret.${rule}`, confidence };
}
