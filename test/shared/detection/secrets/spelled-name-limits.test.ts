/** Cases just inside and just outside each limit of the readers of names, keys and tokens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '@csg/shared/detection';
import { entropyOf } from '../../../../shared/detection/secrets/assigned-secret.ts';
import { kindAt, knownIn } from '../../../../shared/detection/secrets/known-kinds.ts';
import { privateKeyAt } from '../../../../shared/detection/secrets/private-key.ts';
import { isSpelledName, isSpelledPath } from '../../../../shared/detection/secrets/spelled-name.ts';
import { nextLongToken, tokenSecretAt } from '../../../../shared/detection/secrets/token-secret.ts';
import { codesOf } from '../../../support/text-of.ts';

const AWS = 'AKIAIOSFODNN7ABCDEFG';
const rot13 = (text: string) =>
  text.replace(/[A-Z]/g, (letter) => String.fromCharCode(65 + ((letter.charCodeAt(0) - 52) % 26)));

test('entropy counts each ASCII character, and all others as one', () => {
  const cases: readonly (readonly [text: string, bits: number])[] = [
    ['aaaa', 0],
    ['aabb', 1],
    ['abcd', 2],
    ['éüéü', 0],
    ['aaéü', 1],
    ['\u007f\u0080', 1],
    ['aaab'.repeat(2), 0.25 * 2 + 0.75 * Math.log2(4 / 3)],
  ];
  for (const [text, bits] of cases)
    assert.ok(Math.abs(entropyOf(`x${text}y`, 1, text.length + 1) - bits) < 1e-12, text);
});

test('a known key form begins at a word of a token', () => {
  const cases: readonly (readonly [text: string, start: number | undefined])[] = [
    [AWS, 0],
    [`${AWS}/x`, 0],
    [`x${AWS}`, undefined],
    [`x_${AWS}`, 2],
    [`\\n${AWS}`, 2],
    [`\\a${AWS}`, undefined],
    [AWS.slice(0, -1), undefined],
    [rot13(AWS), 0],
    [`x-${rot13(AWS)}`, 2],
    [`NXVN-NXVN-${rot13(AWS)}`, 10],
    [`NXVN-NXVN-NXVN-${rot13(AWS)}`, undefined],
    [`NXVN-NXVN-NXVN-${AWS}`, 15],
  ];
  for (const [text, start] of cases) {
    const span = knownIn(text, codesOf(text), 0, text.length);
    assert.equal(span?.start, start, text);
    if (span !== undefined) assert.equal(span.end, span.start + AWS.length, text);
  }
  assert.equal(knownIn(`${AWS} x`, codesOf(`${AWS} x`), 1, 3), undefined, 'only within the token');
});

test('a key of any length ends before an appended value', () => {
  const key = `sk-ant-api03-${'aB3dE5gH7j'.repeat(4)}`;
  const cases: readonly (readonly [text: string, end: number])[] = [
    [key, 0],
    [`${key}_aB3`, 4],
    [`${key}_219-09-9999`, 0],
    [`${key}-${AWS}`, 0],
    [`${key}_a@example.com`, 0],
    [`${key}_a@example`, 2],
    // the rest alone would be too short for a key
    [`${key.slice(0, -1)}_219-09-9999`, 11],
  ];
  for (const [text, more] of cases)
    assert.equal(kindAt(text, 0)?.end, Math.min(text.indexOf('@') + 1 || 999, key.length + more), text);
});

test('skips to tokens of the required length', () => {
  const cases: readonly (readonly [text: string, from: number, next: number])[] = [
    ['abcdefghijk', 0, 0],
    ['abcdefghij', 0, 10],
    ['abcdefghijk', 1, 11],
    ['abc abcdefghijk', 0, 4],
    ['xx abcdefghijk x', 2, 3],
    ['abcdefghij abcdefghij', 0, 21],
    ['abcdefghij abcdefghijk', 0, 11],
    ['', 0, 0],
  ];
  for (const [text, from, next] of cases)
    assert.equal(nextLongToken(codesOf(text), from, text.length), next, text);
  const read = (text: string) => {
    const { next, isCode, span } = tokenSecretAt({ text, codes: codesOf(text) }, 0);
    return [next, isCode, span !== undefined];
  };
  assert.deepEqual(read('Abcdefghijklmno x'), [15, true, false]);
  assert.deepEqual(read('abcdefghijklmno x'), [15, false, false]);
  assert.deepEqual(read('ABCDEFGHIJKLMNO x'), [15, false, false]);
  assert.deepEqual(read('abcdefghijklmn1 x'), [15, true, false]);
  assert.deepEqual(read('Abcdefghijklm1 x'), [14, false, false]);
  assert.deepEqual(read('123456789012345 x'), [15, false, false]);
  assert.deepEqual(read(`${AWS}_more x`), [20, false, true]);
  assert.deepEqual(read('Ab'.repeat(2000)), [2048, true, false]);
});

test('the name of a value decides whether it is a secret', () => {
  const V = 'aB3dE5gH7jK9mN2p';
  const long = (length: number) => 'aB3dE5gH7jK9mN2pQ4rS'.repeat(26).slice(0, length);
  const cases: readonly (readonly [text: string, value?: string])[] = [
    [`secret=${V}`, V],
    [`secret=${V.slice(1)}`],
    [`token: ${V}`, V],
    [`token: ${V}. Next`, V],
    [`token: ${V}-`, V],
    [`token: ${V.slice(1)}.`],
    [`x: ${V}`],
    [`public token: ${V}`],
    ['token: aBcdEfgHijKlmNopQr'],
    ['token: 12345678901234567a'],
    ['token: 9081726354908172ab', '9081726354908172ab'],
    ['token: aB3d_E5gH_7jK9_mN2_p', 'aB3d_E5gH_7jK9_mN2_p'],
    ['token: aB3_E5g_7jK_mN2_pQ_4'],
    ['token: a1a1a1a1a1a1a1a1'],
    [`token: ${long(512)}`, long(512)],
    [`token: ${long(513)}`],
    [`token = ${V}(x)`],
    [`token = ${V}4(x)`, `${V}4`],
    ['token: example_aB3dE5gH7j'],
    ['token: abcde-5gh7j-k9mn2'],
    ['token: aB3dE5gH7jK9mN2.com'],
    ['token: models/aB3dE5gH7j.pkl'],
    ['token: /home/anna2/Code/webshop'],
    ['token: defaultToConfigValue2'],
    // a password may consist of words
    ['password: defaultToConfigValue2', 'defaultToConfigValue2'],
  ];
  const found = cases.map(([text]) => [
    text,
    ...piiSpans(text, ['api_key']).map(({ start, end }) => text.slice(start, end)),
  ]);
  assert.deepEqual(found, cases);
});

test('a private key ends with its last line, or with its first one', () => {
  const head = '-----BEGIN PRIVATE KEY-----';
  const tail = '-----END PRIVATE KEY-----';
  const key = `${head}\nabc\n${tail}`;
  const far = (length: number) => `${head}${'x'.repeat(length - head.length - tail.length)}${tail}`;
  const labeled = (length: number) => `-----BEGIN ${'X'.repeat(length)} PRIVATE KEY-----`;
  const cases: readonly (readonly [text: string, end: number | undefined])[] = [
    [key, key.length],
    [`${key} and more`, key.length],
    [`${head}\nabc`, head.length],
    [key.slice(0, -5), head.length],
    [`${head}\n${key}`, head.length],
    [`${key}\n${head}`, key.length],
    ['-----BEGIN PRIVATE KEY', undefined],
    ['-----BEGIN PRIVATE KEY----', undefined],
    ['-----BEGIN CERTIFICATE-----', undefined],
    [labeled(57), 85],
    [labeled(58), undefined],
    [far(16_384), 16_384],
    [far(16_385), head.length],
  ];
  for (const [text, end] of cases) assert.equal(privateKeyAt(text, 0)?.end, end, text.slice(0, 99));
  assert.equal(privateKeyAt(` ${key}`, 1)?.end, key.length + 1);
  assert.equal(privateKeyAt(` ${key}`, 0), undefined);
});

test('names are joined words, within limits on their letters', () => {
  for (const name of [
    'cat',
    'caterpillarsin',
    'catchmare',
    'aeit',
    'bcafg',
    'caterpillars_xq',
    'caterpillar_letter_xqz',
    'letter_123',
    'letter2Word',
  ])
    assert.ok(isSpelledName(name), name);
  for (const name of [
    '',
    'ca',
    '123',
    'caterpillarsine',
    'catrngthe',
    'aeio',
    'bcdafg',
    'letters_xq',
    'caterpillar_xq',
    'letter_1234',
    '12_letter_12',
    'letter2word',
    'letter2WOrd',
  ])
    assert.ok(!isSpelledName(name), name);
  for (const path of ['/home/anna', './src/auth', '../src/auth', '~/src/auth', 'src/auth/x', '/xqz/ab'])
    assert.ok(isSpelledPath(path), path);
  for (const path of [
    'src/auth',
    '.../src/auth',
    '-x/src/auth',
    'src/a b/c',
    '/home/xqzv',
    '/xqzv/home',
    'xqzv/a/b',
  ])
    assert.ok(!isSpelledPath(path), path);
});
