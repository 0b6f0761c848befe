import type { Recognized, Recognizer, SensitiveRow } from '../pii/recognizer.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { BEGIN, MAX_PRIVATE_KEY, privateKeyAt } from './private-key.ts';
import { MAX_RUN, tokenSecretAt } from './token-secret.ts';
import { urlSecretAt } from './url-password.ts';

const TOKEN: Recognizer = {
  starts: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.~',
  find: tokenSecretAt,
  lookAhead: { before: 0, after: 2 * MAX_RUN, endsAt: 'a character outside the value' },
};

const URL_SECRET: Recognizer = {
  starts: ':',
  find: ({ text }, at) => recognized(urlSecretAt(text, at)),
  // before it a scheme; after it a name and a password, or the URL of a webhook
  lookAhead: { before: 20, after: MAX_RUN },
};

const PRIVATE_KEY: Recognizer = {
  starts: BEGIN[0]!,
  find: ({ text }, at) => recognized(privateKeyAt(text, at)),
  lookAhead: { before: 0, after: MAX_PRIVATE_KEY },
};

function recognized(span: PiiSpan | undefined): Recognized | undefined {
  return span === undefined ? undefined : { span, next: span.end };
}

export const API_KEY = {
  type: 'api_key',
  placeholder: '[API_KEY]',
  reason: 'Contains a key or credential.',
  recognizers: [TOKEN, URL_SECRET, PRIVATE_KEY],
} as const satisfies SensitiveRow;
