import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { piiSpans } from '@csg/shared/detection';
import { isSpelledName, isSpelledPath } from '../../../../shared/detection/secrets/spelled-name.ts';
import { createRandom } from '../../../support/random.ts';

const ALPHABETS = {
  'letters and digits': 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  'small letters and digits': 'abcdefghijklmnopqrstuvwxyz0123456789',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
};

describe('names and paths next to words such as token', () => {
  for (const text of [
    'PWD=/home/anna2/Code/webshop',
    'OLDPWD=/usr/local/share/app2/bin',
    'withToken: defaultToConfig2',
    'auth_token = createSessionStoreV2',
    'token: user_session_table_v2',
  ])
    test(`not a secret: ${text}`, () => assert.deepEqual(piiSpans(text), []));

  for (const text of [
    `secret: aK39dkLmZq2${'0aXbC91'}`,
    `api_key=3f9a8b7c6d5e${'4f3a2b1c'}`,
    `token=kfjeioqwnv${'bxz7uaqpl'}`,
    'password: CorrectHorseBattery9',
    `access_key: /k3J9xAbQ2/${'mZ81LoPwQ9/ttE'}`,
  ])
    test(`a secret: ${text}`, () => assert.equal(piiSpans(text).length, 1));

  for (const [name, alphabet] of Object.entries(ALPHABETS))
    test(`few random values of ${name} read as words`, () => {
      const random = createRandom(7);
      const value = (length: number) =>
        Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');
      const spelled = Array.from({ length: 10_000 }, () => value(16)).filter(
        (text) => /\d/.test(text) && (isSpelledName(text) || isSpelledPath(`/${text}`)),
      );
      assert.ok(spelled.length < 80, `${spelled.length} of 10,000: ${spelled.slice(0, 5)}`);
    });
});
