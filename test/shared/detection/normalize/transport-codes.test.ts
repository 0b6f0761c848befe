import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  base64Text,
  codeLines,
  codeRun,
  fromBase64,
  fromHex,
  hexText,
  hiddenSentence,
} from '../../../../shared/detection/normalize/transport-codes.ts';

const hex = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('hex');
const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');

test('an encoded run ends at the first character outside its alphabet', () => {
  const run = (text: string, at = 0, from = 0, to = text.length) => codeRun(text, at, from, to);
  for (const sign of 'azAZ09/+=-_') assert.deepEqual(run(`${sign}x`, 1), [0, 2], sign);
  for (const sign of '.:@[`{ *,!') assert.deepEqual(run(`${sign}x`, 1), [1, 2], sign);
  assert.deepEqual(run('abc def', 5), [4, 7]);
  assert.deepEqual(run('abcdef', 3, 2, 5), [2, 5]);
});

test('encoded lines have the length of the first, the last one at most that', () => {
  const end = (text: string, to = text.length) => codeLines(text, 0, text.search(/[\r\n]|$/), to);
  const cases: readonly (readonly [text: string, end: number])[] = [
    ['abcd', 4],
    ['abcd\n', 4],
    ['abcd\nefgh', 9],
    ['abcd\r\nefgh', 10],
    ['abcd\nefghi', 4],
    ['abcd\nefg\nhijk', 8],
    ['abcd\nefgh\nij', 12],
    ['abcd\n\nefgh', 4],
    ['abcd\n efgh', 4],
    ['abcd\rxefg', 4],
  ];
  for (const [text, expected] of cases) assert.equal(end(text), expected, JSON.stringify(text));
  assert.equal(end('abcd\nefgh', 4), 4);
  assert.equal(end('abcd\nefgh', 8), 8);
});

test('hex and base64 are decoded if nearly all of the result is letters and spaces', () => {
  assert.equal(fromHex(hex('ab cdefg')), 'ab cdefg');
  assert.equal(fromHex(hex('ab cdef')), undefined, 'seven bytes');
  assert.equal(fromHex(hex('abcdef..')), 'abcdef..');
  assert.equal(fromHex(hex('abcde...')), undefined, 'three of eight are punctuation');
  for (const good of ['a', 'z', 'A', 'Z', ' ', '\u00c0', 'ж'])
    assert.equal(fromHex(hex(`${good.repeat(6)}..`)), `${good.repeat(6)}..`, good);
  for (const bad of ['@', '[', '`', '{', '0', '\u00bf', '!'])
    assert.equal(fromHex(hex(`abcde${bad.repeat(3)}`)), undefined, bad);
  for (const blank of '\t\n\r') assert.equal(fromHex(hex(`abcdefg${blank}`)), `abcdefg${blank}`);
  for (const control of '\x08\x0b\x1f') assert.equal(fromHex(hex(`abcdefg${control}`)), undefined);
  assert.equal(fromHex('61626364656667ff'), undefined, 'not UTF-8');
  assert.equal(fromHex(`${hex('ab cdefg')}6`), undefined, 'half a byte');
  assert.equal(fromHex(hex('ab cdefg').toUpperCase()), 'ab cdefg');
  assert.equal(fromHex('6162636465666768'), 'abcdefgh');
  assert.equal(fromHex('123456789012345x'), undefined);
  assert.equal(fromBase64(base64('some words of')), 'some words of');
  assert.equal(fromBase64(base64('some words ')), undefined, 'fifteen characters');
});

test('UTF-16 with Latin letters is recognized by its zero bytes', () => {
  const words = 'ab cdefg';
  assert.equal(fromHex(hex(words, 'utf16le')), words);
  assert.equal(fromHex(Buffer.from(words, 'utf16le').swap16().toString('hex')), words);
  assert.equal(fromHex(`fffe${hex(words, 'utf16le')}`), words);
  assert.equal(fromHex(`feff${Buffer.from(words, 'utf16le').swap16().toString('hex')}`), words);
  assert.equal(base64Text(base64(words, 'utf16le')), words);
  assert.equal(hexText('610062006300'), undefined, 'too short to tell');
  assert.equal(hexText('6100620063006400'), 'abcd');
  assert.equal(hexText('6100620063006465'), undefined);
});

test('hexText decodes any text without control characters', () => {
  assert.equal(hexText(hex('219-45-6789')), '219-45-6789');
  assert.equal(hexText(`${'3'.repeat(40)}6a`), undefined, 'a long number first');
  assert.equal(hexText(`${'3'.repeat(38)}6a`), `${'3'.repeat(19)}j`);
  assert.equal(hexText(hex('SSN: 219')), 'SSN: 219');
  assert.equal(hexText(hex('a\x01bcdefgh')), undefined);
  assert.equal(hexText(hex('aé')), 'aé');
  assert.equal(base64Text(base64('my ssn is 219')), 'my ssn is 219');
  assert.equal(base64Text(base64('grüße an alle')), 'grüße an alle');
  assert.equal(base64Text(base64('a\x01bcdefghijkl')), undefined);
  assert.equal(base64Text(base64('219-45-6789')), undefined, 'shorter than sixteen characters');
  assert.equal(base64Text(base64('219-45-6789'), 15), '219-45-6789');
  assert.equal(base64Text(base64('219-45-6789').slice(0, -1), 15), '219-45-6789');
  assert.equal(base64Text(base64('219-45-6789'), 16), undefined);
  assert.equal(base64Text('abcdefghijklmnop'), undefined, 'one case');
  const signs = '?>my ssn is>~?>';
  assert.equal(base64Text(Buffer.from(signs).toString('base64url')), signs);
  assert.equal(base64Text(base64(signs)), signs);
});

test('four words and three spaces make a hidden sentence', () => {
  for (const write of [hex, base64]) {
    assert.ok(hiddenSentence(write('go to the old bank')));
    assert.ok(hiddenSentence(write('go tothe old bankers')));
    assert.ok(!hiddenSentence(write('going  tothe bankers')));
    assert.ok(!hiddenSentence(write('going,tothe bankers now')));
    assert.ok(!hiddenSentence(write('a b c d e f g h i j')));
    assert.ok(!hiddenSentence(write('kim.svensson@example.com')));
  }
  assert.ok(!hiddenSentence(`${hex('go to the old bank')} `));
  assert.ok(!hiddenSentence(hex('go to me').slice(0, 23)));
});
