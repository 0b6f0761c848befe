/** Cases just inside and just outside each limit of the readers of escapes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Escape,
  escapesOf,
  hiddenOf,
  type NextEscape,
} from '../../../../shared/detection/pii/escapes.ts';
import { IN_ESCAPES } from '../../../../shared/detection/pii/find-in-escapes.ts';
import { createPlusReader } from '../../../../shared/detection/pii/plus-reader.ts';
import type { PiiSpan } from '../../../../shared/detection/pii/spans.ts';

type Listed = readonly [start: number, end: number, plain: string];

function listed(next: NextEscape): Listed[] {
  const found: Listed[] = [];
  for (let one = next(0); one !== undefined; one = next(one.end)) found.push([one.start, one.end, one.plain]);
  return found;
}

test('an escape stands for one character that can be part of a value', () => {
  const cases: readonly (readonly [text: string, ...escapes: readonly Listed[]])[] = [
    ['%41', [0, 3, 'A']],
    ['%2541', [0, 5, 'A']],
    ['%7e', [0, 3, '~']],
    ['%7f'],
    ['%1f'],
    ['%09%0a%0d', [0, 3, '\t'], [3, 6, '\n'], [6, 9, '\r']],
    ['%0b'],
    ['%e2%80%91', [0, 9, '\u2011']],
    ['%25e2%2580%2591', [0, 15, '\u2011']],
    ['%c3%a9'],
    ['%c2%a0', [0, 6, '\u00a0']],
    ['%4'],
    ['100%'],
    ['&#64;', [0, 5, '@']],
    ['&#064', [0, 5, '@']],
    ['&#x40;', [0, 6, '@']],
    ['&#x0000040;', [0, 11, '@']],
    ['&amp;#64;', [0, 9, '@']],
    ['&commat;', [0, 8, '@']],
    ['&COMMAT;', [0, 8, '@']],
    ['&shy;', [0, 5, '']],
    ['&amp;'],
    ['&unknown;'],
    ['&commat'],
    ['\\u0040', [0, 6, '@']],
    ['\\\\u0040', [0, 7, '@']],
    ['\\u{40}', [0, 6, '@']],
    ['\\x40', [0, 4, '@']],
    ['\\100', [0, 4, '@']],
    ['\\40 x', [0, 4, '@']],
    ['\\40x'],
    ['\\\\\\'],
    ['a=40b'],
    ['=40=41=42', [0, 3, '@'], [3, 6, 'A'], [6, 9, 'B']],
    ['=20=\nx=20', [0, 3, ' '], [3, 5, ''], [6, 9, ' ']],
    ['?q?=40'],
    ['=?utf-8?Q?=40?=', [10, 13, '@']],
    ['?q=a+b', [4, 5, ' ']],
    ['a+b'],
    ['%41&#66;\\x43', [0, 3, 'A'], [3, 8, 'B'], [8, 12, 'C']],
  ];
  const found = cases.map(([text]) => [text, ...listed(escapesOf(text))]);
  assert.deepEqual(found, cases);
});

test('an escape of a character that cannot be part of a value is not decoded', () => {
  const isRead = (code: number) => escapesOf(`&#${code};`)(0) !== undefined;
  for (const code of [9, 10, 13, 32, 126, 160, 0x2000, 0x2015, 0x2028, 0x202f, 0x2212, 0xff21])
    assert.ok(isRead(code), String(code));
  for (const code of [8, 11, 12, 14, 31, 127, 128, 159, 161, 255, 0xd800, 0xdfff, 0xe000, 0xffff])
    assert.ok(!isRead(code), String(code));
});

test('invisible characters between two word characters count as a space', () => {
  const cases: readonly (readonly [text: string, ...escapes: readonly Listed[]])[] = [
    ['a\u200bb', [1, 2, ' ']],
    ['a\u200b\u200bb', [1, 3, ' ']],
    ['a\u200b b'],
    ['a-\u200bb'],
    ['\u200bb'],
    ['a\u200b'],
    ['a b'],
    ['a\u200b-\u200bb \u200b1\u200b2', [8, 9, ' ']],
  ];
  const found = cases.map(([text]) => [text, ...listed(hiddenOf(text))]);
  assert.deepEqual(found, cases);
});

test('a plus is a space in a query value', () => {
  const blanks = (text: string) => {
    const isBlank = createPlusReader(text);
    return [...text.matchAll(/\+/g)].map(({ index }) => isBlank(index));
  };
  const cases: readonly (readonly [text: string, ...blanks: readonly boolean[]])[] = [
    ['q=a+b', true],
    ['a+b', false],
    ['?q=+b', true],
    ['a&q=a+b', true],
    ['x q=a+b', true],
    ['"q=a+b', true],
    ['x/q=a+b', false],
    ['x[0].y-z_%=a+b', true],
    ['=a+b', false],
    ['é=a+b', false],
    ['q=a b+c', false],
    ["q=a%20-._*~!'()@:,/+b", true],
    ['q=a#+b', false],
    ['q=a+b+c', true, true],
    ['q=a+b c+d', true, false],
    ['x/q=a+b+c', false, false],
    ['a+b&q=c+d', false, true],
    [`q=${'a'.repeat(1999)}+`, true],
    [`q=${'a'.repeat(2000)}+`, false],
  ];
  assert.deepEqual(
    cases.map(([text]) => [text, ...blanks(text)]),
    cases,
  );
});

/** The text that is read around escapes, and what is found in it. */
function regions(text: string, escapes: readonly Escape[], spans: readonly [number, number][] = []) {
  const read: string[] = [];
  const found = IN_ESCAPES.find(
    text,
    (from) => escapes.find(({ start }) => start >= from),
    (plain): PiiSpan[] => {
      read.push(plain);
      return spans.map(([start, end]) => ({
        start,
        end,
        type: 'email',
        rule: 'pii.email',
        confidence: 0.98,
      }));
    },
  );
  return { read, found: found.map(({ start, end }) => [start, end]), confidence: found[0]?.confidence };
}

const escapeAt = (start: number, end: number, plain: string): Escape => ({ start, end, plain });

test('around an escape a limited text is read, in whole words', () => {
  const text = `${'a '.repeat(200)}%41 ${'b '.repeat(300)}`;
  const { read } = regions(text, [escapeAt(400, 403, 'A')]);
  assert.deepEqual(read, [`${text.slice(280, 400)}A${text.slice(403, 659)}`]);
  const long = `${'a'.repeat(1000)}%41${'b'.repeat(1000)}`;
  assert.deepEqual(regions(long, [escapeAt(1000, 1003, 'A')]).read, [
    `${'a'.repeat(120 + 512)}A${'b'.repeat(256 + 512)}`,
  ]);
  assert.deepEqual(regions('a%41b', [escapeAt(1, 4, 'A')]).read, ['aAb']);
  assert.deepEqual(regions(`${'a '.repeat(99)}é%41`, [escapeAt(199, 202, 'A')]).read, [
    `${'a '.repeat(60)}éA`,
  ]);
});

test('escapes that are close together are read together', () => {
  const pair = (gap: number) => {
    const text = `%41${'z'.repeat(gap)}%42`;
    return regions(text, [escapeAt(0, 3, 'A'), escapeAt(3 + gap, 6 + gap, 'B')]).read;
  };
  assert.deepEqual(pair(120), [`A${'z'.repeat(120)}B`]);
  assert.deepEqual(pair(121), [`A${'z'.repeat(121)}`, `${'z'.repeat(121)}B`]);
});

test('a finding that may be cut at the edge of the read text is dropped', () => {
  const text = `${'a '.repeat(200)}%41 ${'b '.repeat(300)}`;
  const one = [escapeAt(400, 403, 'A')];
  // read from 280 to 659
  assert.deepEqual(regions(text, one, [[47, 50]]).found, []);
  assert.deepEqual(regions(text, one, [[48, 50]]).found, [[328, 330]]);
  assert.deepEqual(regions(text, one, [[110, 121]]).found, [[390, 403]]);
  assert.deepEqual(regions(text, one, [[110, 377]]).found, []);
  assert.deepEqual(regions(text, one, [[110, 376]]).found, [[390, 658]]);
  assert.equal(regions(text, one, [[48, 50]]).confidence, 0.9);
  const whole = 'ab%41cd';
  assert.deepEqual(regions(whole, [escapeAt(2, 5, 'A')], [[0, 5]]).found, [[0, 7]]);
  const second = `%41${'z '.repeat(80)}%42 ${'c '.repeat(40)}`;
  const two = [escapeAt(0, 3, 'A'), escapeAt(163, 166, 'B')];
  assert.deepEqual(regions(second, two).read[1]?.slice(0, 3), 'z z'.slice(0, 3));
});

test('a value does not end within empty escapes', () => {
  const text = 'ab&shy;&shy; cd';
  const two = [escapeAt(2, 7, ''), escapeAt(7, 12, '')];
  assert.deepEqual(regions(text, two, [[0, 2]]).found, [[0, 2]]);
  assert.deepEqual(regions(text, two, [[0, 5]]).found, [[0, 15]]);
});
