/** Cases just inside and just outside each limit of the readers of numbers, mostly called directly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '../../../../shared/detection/index.ts';
import type { DigitGroups } from '../../../../shared/detection/pii/digit-groups.ts';
import {
  beginsNumber,
  formEnd,
  isQuadAt,
  isSsn,
  isSsnAt,
  isUniform,
  northAmericanEnd,
} from '../../../../shared/detection/pii/number-forms.ts';
import { groupsOf } from '../../../support/digit-groups.ts';
import { codesOf } from '../../../support/text-of.ts';

const listed = (groups: DigitGroups) => Array.from({ length: groups.count }, (_, i) => groups.join(i, i));

test('groups of digits end at another separator, at a wide gap, and at their limits', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['12', ['12']],
    ['12 34', ['12', '34']],
    ['12x34', ['12']],
    ['12  34', ['12', '34']],
    ['12   34', ['12']],
    ['12. 34-', ['12', '34']],
    ['1 2 3 4 5 6 7 8 9 1 2 3', [...'123456789123']],
    ['1 2 3 4 5 6 7 8 9 1 2 3 4', [...'123456789123']],
    [`${'1'.repeat(48)} 2 3`, ['1'.repeat(48), '2']],
    [`${'1'.repeat(49)} 2`, ['1'.repeat(49)]],
    ['0/9:', ['0', '9']],
  ];
  const again = groupsOf('1 2 3');
  again.read('45-6', codesOf('45-6'), 0);
  assert.deepEqual([listed(again), again.digits], [['45', '6'], 3]);
  assert.deepEqual(listed(groupsOf(`${'x'.repeat(50)}12 34`, 50)), ['12', '34']);
  for (const [text, expected] of cases) assert.deepEqual(listed(groupsOf(text)), expected, text);
  const gaps = ' .-()/\u00a0\u2000\u200a\u2010\u2015\u202f\u205f\u2212\u3000';
  for (const gap of gaps) assert.equal(groupsOf(`1${gap}2`).count, 2, JSON.stringify(gap));
  for (const mark of '_:,+\u0080\u009f\u1fff\u200b\u200f\u2016\u2211\u2213\u202e\u2060\u3001')
    assert.equal(groupsOf(`1${mark}2`).count, 1, JSON.stringify(mark));
  const begun = groupsOf('9 123', 2);
  assert.deepEqual([begun.start[0], begun.end[0], begun.at[0], begun.digits], [2, 5, 0, 3]);
});

test('each group has its size, position and gap', () => {
  const groups = groupsOf('12\u00a0345\u2013.6');
  assert.deepEqual(
    [0, 1, 2].map((i) => groups.size(i)),
    [2, 3, 1],
  );
  assert.deepEqual(
    [-1, 0, 1, 2, 3].map((i) => groups.gap(i)),
    ['', '', ' ', '-.', ''],
  );
  for (const blank of '\u00a0\u2000\u200a\u202f\u205f\u3000')
    assert.equal(groupsOf(`1${blank}2`).gap(1), ' ');
  for (const dash of '\u2010\u2015\u2212') assert.equal(groupsOf(`1${dash}2`).gap(1), '-');
  assert.deepEqual([...groups.at.slice(0, 3)], [0, 2, 5]);
  assert.deepEqual([...groups.values.slice(0, 6)], [1, 2, 3, 4, 5, 6]);
  assert.equal(groups.join(1, 2), '3456');
  assert.equal(groupsOf('7'.repeat(65)).digits, 65);
});

test('groups of a previous number do not belong to the next one', () => {
  const reused = (before: string, text: string) => {
    const groups = groupsOf(before);
    groups.read(text, codesOf(text), 0);
    return groups;
  };
  assert.ok(!isSsnAt(reused('219-09-9999', '219'), 0));
  assert.ok(!isSsnAt(reused('219-09-9999', '219-09'), 0));
  assert.equal(formEnd(reused('1 4111111111111111', '1'), 1), -1);
  assert.equal(northAmericanEnd(reused('415-555-2671', '415-555'), 0), -1);
  assert.ok(!isQuadAt(reused('8.8.8.8', '8.8.8'), 0));
  const card = '4111111111111111';
  const spans = piiSpans(`11 22 33 ${card} and 123 4564`, ['credit_card']);
  assert.deepEqual(
    spans.map(({ start }) => start),
    [9],
  );
});

test('the last group is dropped if it begins another value', () => {
  const given = (text: string): boolean => {
    const groups = groupsOf(text);
    const { count } = groups;
    const isGiven = groups.dropLast(codesOf(text));
    assert.equal(groups.count, isGiven ? count - 1 : count, text);
    if (isGiven) assert.equal(groups.digits, groups.at[count - 1], text);
    return isGiven;
  };
  const left = (text: string) => {
    const groups = groupsOf(text);
    groups.dropLast(codesOf(text));
    return groups;
  };
  assert.ok(!isQuadAt(left('8.8.8.8:1:1'), 0), 'a dropped group is part of no value');
  assert.ok(!isSsnAt(left('219-09-9999:1:1'), 0));
  assert.equal(northAmericanEnd(left('415-555-2671:1:1'), 0), -1);
  for (const text of [
    '4141 3rd',
    '4141 3g',
    '4141 3ff',
    '4141 3fg',
    '4141 3f0',
    '4141 31f',
    '4141 2001:db8::1',
    '4141 2001:db81:1',
    '4141 2001::1',
    '4141-1a2b:c:1',
    '4141-1a2b:1234:1',
  ])
    assert.equal(given(text), true, text);
  for (const text of [
    '3rd',
    '4141',
    '4141 3',
    '4141 3f',
    '4141 3f:',
    '4141-3rd',
    '4141.3rd',
    '4141/3rd',
    '4141-2001:db811:1',
    '4141-2g:1:1',
    '4141-2 :1:1',
    '4141-1a2bc:1:1',
    '4141 2001:db8 1',
    '4141 2001;db8:1',
    '4141 2001:db8;1',
  ])
    assert.equal(given(text), false, text);
});

test('social security numbers that were never issued are rejected', () => {
  for (const digits of ['001010001', '665010001', '667010001', '899999999']) assert.ok(isSsn(digits), digits);
  for (const digits of ['000010001', '666010001', '900010001', '001000001', '001010000'])
    assert.ok(!isSsn(digits), digits);
  for (const text of ['219-09-9999', '219 09 9999', '219.09.9999'])
    assert.ok(isSsnAt(groupsOf(text), 0), text);
  for (const text of ['219-09', '2190-09-9999', '219-090-9999', '219-09-999', '219-09 9999', '000-09-9999'])
    assert.ok(!isSsnAt(groupsOf(text), 0), text);
  assert.ok(isSsnAt(groupsOf('1 219-09-9999'), 1));
});

test('formatted numbers have the right groups, with the same separator', () => {
  const american: readonly (readonly [string, number])[] = [
    ['415-555-2671', 2],
    ['1-415-555-2671', 3],
    ['12-415-555-2671', -1],
    ['415-555', -1],
    ['1-415-555', -1],
    ['41-555-2671', -1],
    ['415-55-2671', -1],
    ['415-555-267', -1],
  ];
  for (const [text, last] of american) assert.equal(northAmericanEnd(groupsOf(text), 0), last, text);
  for (const text of ['1-2-3', '1.2.3']) assert.ok(isUniform(groupsOf(text), 0, 2), text);
  for (const text of ['1 2 3', '1-2.3', '1.2-3', '1/2/3']) assert.ok(!isUniform(groupsOf(text), 0, 2), text);
  assert.ok(isUniform(groupsOf('1-2 3'), 0, 1), 'the text after it is not read');
  for (const text of ['1.2.3.4', '255.255.255.255', '1.2.3.4.5'])
    assert.ok(isQuadAt(groupsOf(text), 0), text);
  for (const text of ['1.2.3', '1.2.3-4', '1-2.3.4', '1.2.3.256', '01.2.3.4'])
    assert.ok(!isQuadAt(groupsOf(text), 0), text);
});

test('a number that is identified by its format ends with its last group', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['4111 1111 1111 1111', 3],
    ['4111111111111111', 0],
    ['4111 1111 1111 1112', -1],
    ['4222222222222', 0],
    ['219-09-9999', 2],
    ['219 09 9999', -1],
    ['219.09.9999', -1],
    ['219-09-9999a', -1],
    ['415-555-2671', 2],
    ['415.555.2671', 2],
    ['415 555 2671', -1],
    ['415-555.2671', -1],
    ['8.8.8.8', 3],
    ['8.8.8.8.8', -1],
    ['8.8.8.8.219-09-9999', 3],
    ['8.8.8.8-9', 3],
    ['12345', -1],
    ['12345678901', -1],
  ];
  for (const [text, last] of cases) assert.equal(formEnd(groupsOf(text), 0), last, text);
  assert.equal(formEnd(groupsOf('7 219-09-9999'), 1), 3);
  assert.equal(formEnd(groupsOf('7 8.8.8.8.8'), 1), -1);
  assert.equal(formEnd(groupsOf('219-09-9999'), 3), -1);
  for (const [text, at] of [
    ['219-09-9999', 0],
    ['is 8.8.8.8 ok', 3],
  ] as const)
    assert.ok(beginsNumber(text, at), text);
  for (const text of ['x219-09-9999', ':219-09-9999', '/219-09-9999', '219-09-999', ''])
    assert.ok(!beginsNumber(text, 0), text);
});
