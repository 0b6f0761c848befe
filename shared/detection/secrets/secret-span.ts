import type { PiiSpan } from '../pii/spans.ts';

export const ASSIGNED = 'assigned-secret';
export const URL_PASSWORD = 'url-password';
export const COMMAND_PASSWORD = 'command-password';
export const PASSWORD = 'password';
export const PAIRED = 'paired-secret';

const BY_CONTEXT = new Set([ASSIGNED, URL_PASSWORD, COMMAND_PASSWORD, PASSWORD].map((id) => `secret.${id}`));

/** True for keys that are identified by their form: no other value is within them. */
export function isKnownKey({ rule }: PiiSpan): boolean {
  return !BY_CONTEXT.has(rule);
}

export function secretSpan(start: number, end: number, rule: string, confidence: number): PiiSpan {
  return { start, end, type: 'api_key', rule: `secret.${rule}`, confidence };
}
