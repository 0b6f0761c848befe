import type { SensitiveRow } from '../pii/recognizer.ts';
import { MAX_LEAD, MIN_ASSIGNED } from './assigned-secret.ts';
import { BOT_COLON, botTokenAt } from './bot-token.ts';
import { COMMAND, commandPasswordAt, MAX_COMMAND } from './command-password.ts';
import { SECRET_BEFORE, SECRET_BESIDE } from './find-pairs.ts';
import { PASSWORD_WORD, passwordAt } from './password.ts';
import { BEGIN, MAX_PRIVATE_KEY, privateKeyAt } from './private-key.ts';
import type { LiteralRecognizer, SecretRecognizer } from './secret-recognizer.ts';
import { tokenSecretAt } from './token-secret.ts';
import { urlSecretAt } from './url-password.ts';

/** The characters after a word that still tell whether a key ends with it. */
const AFTER_WORD = 16;
const MAX_PASSWORD = 100;

/** Keys by their form, which state their length themselves, and values by what they are assigned to. */
export const TOKEN = {
  find: tokenSecretAt,
  reach: {
    sign: 'an odd word',
    before: MAX_LEAD + MIN_ASSIGNED,
    after: AFTER_WORD,
    ends: 'with its word',
  },
} as const satisfies SecretRecognizer & { readonly find: typeof tokenSecretAt };

/** Recognizers that start at a literal. Of two values at the same position the one of the first row wins. */
export const AT_LITERALS = [
  {
    literal: '://',
    find: urlSecretAt,
    reach: { sign: 'an odd word', before: 20, after: AFTER_WORD, ends: 'with its word' },
  },
  {
    literal: BEGIN,
    find: privateKeyAt,
    reach: { sign: /-----BEGIN/, before: 0, after: MAX_PRIVATE_KEY, ends: 'at a distance' },
  },
  {
    literal: BOT_COLON,
    find: botTokenAt,
    reach: { sign: 'an odd word', before: 13, after: AFTER_WORD, ends: 'with its word' },
  },
  {
    literal: COMMAND,
    find: commandPasswordAt,
    // its options, and the password
    reach: {
      sign: new RegExp(COMMAND),
      before: 0,
      after: MAX_COMMAND + MAX_PASSWORD + 20,
      ends: 'at a distance',
    },
  },
] as const satisfies readonly LiteralRecognizer[];

/** Starts at a word for a password: after it stand its owner and the password. */
export const NAMED_PASSWORD = {
  find: passwordAt,
  // the last part of the word if it contains a space
  reach: {
    sign: new RegExp(`${PASSWORD_WORD.source}|passe\\b`),
    before: 'mot de '.length,
    after: 240,
    ends: 'at a distance',
  },
} as const satisfies SecretRecognizer & { readonly find: typeof passwordAt };

export const API_KEY = {
  type: 'api_key',
  placeholder: '[API_KEY]',
  reason: 'Contains a key or credential.',
  recognizers: [TOKEN, ...AT_LITERALS, NAMED_PASSWORD, SECRET_BESIDE, SECRET_BEFORE],
} as const satisfies SensitiveRow;
