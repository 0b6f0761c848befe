import { VALUE } from '../operating-points/values.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { matchAt } from '../read/match-at.ts';
import { PLACEHOLDER } from './assigned-secret.ts';
import { kindAt } from './known-kinds.ts';
import { secretSpan, URL_PASSWORD } from './secret-span.ts';

const CREDENTIAL_URL = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,80}:([^\s:@/"'<>$]{3,100})@[a-z0-9[]/iy;

/** A placeholder for a password: `{db_password}`, `[secure]`, `aws_secret_access_key`. */
export const PASSWORD_TEMPLATE =
  /^(?:(?:my|the)?[_-]?pass(?:word)?|pwd|secret|\{.*\}|\[.*\]|%\w+%?|[a-z]+(?:[_-][a-z]+)*[_-](?:password|passwd|pass|pwd|secret|key|token))$/i;

/** Returns the secret in a URL: the URL of a webhook is a secret itself; others may contain a password. */
export function urlSecretAt(text: string, colon: number): PiiSpan | undefined {
  let start = colon;
  while (start > 0 && start > colon - 20 && /[a-z0-9+.-]/i.test(text[start - 1]!)) start--;
  const hook = kindAt(text, start);
  if (hook !== undefined) return hook;
  const match = matchAt(CREDENTIAL_URL, text, start);
  if (match === null || PLACEHOLDER.test(match[1]!) || PASSWORD_TEMPLATE.test(match[1]!)) return undefined;
  const end = match.index + match[0].length - 2;
  return secretSpan(end - match[1]!.length, end, URL_PASSWORD, VALUE.urlPassword);
}
