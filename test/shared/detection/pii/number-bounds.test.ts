/** Cases just inside and just outside each limit of the readers of numbers, mostly called directly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '../../../../shared/detection/index.ts';
import { CHAR_CLASS, classAt, isWordish } from '../../../../shared/detection/pii/char-class.ts';
import { after, leadOf } from '../../../../shared/detection/pii/context.ts';
import { isAfterValue, isLineEscape } from '../../../../shared/detection/pii/glue.ts';
import { codesOf } from '../../../support/text-of.ts';

test('classifies the numbers of a text', () => {
  const card = '4111111111111111';
  const ones = [...card].join(' / ');
  const cases: readonly (readonly [text: string, ...values: readonly string[]])[] = [
    // attached to something else
    [card, `credit_card:${card}`],
    [`a${card}`],
    [`a1234 ${card}`, `credit_card:${card}`],
    [`\\n${card}`, `credit_card:${card}`],
    ...[...'_#%$€£'].map((sign) => [` ${sign}${card}`] as const),
    ...[...'-./'].map((sign) => [` ${sign}${card}`, `credit_card:${card}`] as const),
    ...[...'-./'].map((sign) => [`a${sign}${card}`] as const),
    [`8.8.8.8/${card}`, 'ip_address:8.8.8.8', `credit_card:${card}`],
    [`8.8.8.8 ab/${card}`, 'ip_address:8.8.8.8'],
    ['ssn 219099999', 'ssn:219099999'],
    ['ssn 219099999a'],
    ['219099999'],
    ['ssn 000099999'],
    ['call 2125550123x123456', 'phone:2125550123x123456'],
    // in parts
    [`card ${ones}`, `credit_card:${ones}`],
    ['is 4111   1111   1111   1111 ok', 'credit_card:4111   1111   1111   1111'],
    ['is 4111/1111/1111/1111 ok', 'credit_card:4111/1111/1111/1111'],
    // another value after the digits
    ['phone 41418899 2001:db8::1', 'phone:41418899', 'ip_address:2001:db8::1'],
    ['phone 12 34567 3rd', 'phone:12 34567'],
    ['phone 12 3456 3rd'],
    ['11 22 219-09-9999', 'ssn:219-09-9999'],
    ['11 22 33 219-09-9999', 'ssn:219-09-9999'],
    ['11 22 33 44 219-09-9999', 'ssn:219-09-9999'],
    ['1234567 219-09-9999', 'ssn:219-09-9999'],
    ['11-22-219-09-9999'],
    ['12 4111 1111 1111 1111', 'credit_card:4111 1111 1111 1111'],
    ['1 22 333 4111-1111-1111-1111', 'credit_card:4111-1111-1111-1111'],
    ['12 34 4111 1111 1111 1111', 'credit_card:4111 1111 1111 1111'],
    ['11 22 33 44 4111 1111 1111 1111', 'credit_card:4111 1111 1111 1111'],
    ['my card 462684  7279166607 phone'],
    ['sip:454457 (8543772719, office'],
    [`3.${card}`],
    ['3.4111 1111 1111 1111'],
    ['12.4111.1111.1111.1111', 'credit_card:4111.1111.1111.1111'],
    // a list
    ['phone: 12345678, 23456789', 'phone:12345678', 'phone:23456789'],
    ['phone: 12345678, 23456780', 'phone:12345678', 'phone:23456780'],
    ['phone: 12345678, 23456789: home', 'phone:12345678', 'phone:23456789'],
    ['phone: 12345678   oder   23456789', 'phone:12345678', 'phone:23456789'],
    ['phone: 12345678    23456789', 'phone:12345678', 'phone:23456789'],
    ['phone: 12345678       23456789', 'phone:12345678'],
    ['phone: 12345678; or 23456789', 'phone:12345678'],
    ['phone: 12345678, 234567890', 'phone:12345678'],
    ['phone: 1234567890, 23456789', 'phone:1234567890'],
    ['a@b.de 电话12345678', 'phone:12345678'],
    ['a@phone.de 12345678'],
    // after a plus
    ['+8.8.8.8'],
    ['a +8.8.8.8'],
    ['tel+8.8.8.8'],
    ['a+8.8.8.8', 'ip_address:8.8.8.8'],
    ['call f(212) 555-0123'],
    ['8.8.4.4 +8.8.8.8', 'ip_address:8.8.4.4'],
    ['8.8.4.4+8.8.8.8', 'ip_address:8.8.4.4', 'ip_address:8.8.8.8'],
    ['ssn: +219-09-9999', 'ssn:219-09-9999'],
    ['a+212-555-0123', 'phone:212-555-0123'],
    ['phone 4111 1111 1111 1111', 'credit_card:4111 1111 1111 1111'],
    // with dots
    ['8.8.8.8', 'ip_address:8.8.8.8'],
    ['8.8.8.8a'],
    ['version 8.8.8.8'],
    ['8.8.8.8.8'],
    ['8.8.8.8.2001:db8::1', 'ip_address:8.8.8.8', 'ip_address:2001:db8::1'],
    ['8.8.8.8.219-09-9999', 'ip_address:8.8.8.8', 'ssn:219-09-9999'],
    ['1.2.3.4.5.6.7.8'],
    ['2.2.3.4.5.6.7.8'],
    ['3.2.3.4.5.6.7.8', 'ip_address:3.2.3.4', 'ip_address:5.6.7.8'],
    ['12.2.3.4.5.6.7.8', 'ip_address:12.2.3.4', 'ip_address:5.6.7.8'],
    ['phone 12 34 56 78', 'phone:12 34 56 78'],
    ['fax 01.27.5548.12', 'phone:01.27.5548.12'],
    ['fax 012.345.678.901'],
    // social security numbers
    ['ssn 219 09 9999', 'ssn:219 09 9999'],
    ['219-09-9999', 'ssn:219-09-9999'],
    ['219 09 9999'],
    ['219-09-9999a'],
    ['ssn 219-09-9999-1'],
    ['219-09-9999 1', 'ssn:219-09-9999'],
    ['219-09-9999-219-09-9998', 'ssn:219-09-9999', 'ssn:219-09-9998'],
    ['order 219-09-9999'],
    ['phone 219-09-9999', 'phone:219-09-9999'],
  ];
  const found = cases.map(([text]) => [
    text,
    ...piiSpans(text, ['phone', 'credit_card', 'ssn', 'ip_address']).map(
      ({ type, start, end }) => `${type}:${text.slice(start, end)}`,
    ),
  ]);
  assert.deepEqual(found, cases);
});

test('context words reach a limited distance, and not past another number', () => {
  const lead = (text: string) => leadOf(text, codesOf(text), text.length);
  const cases: readonly (readonly [text: string, lead: string])[] = [
    ['Phone: ', 'phone: '],
    ['phone 0 is ', '0 is '],
    ['phone 9 is ', '9 is '],
    ['phone /: is ', 'phone /: is '],
    [`phone ${'x'.repeat(42)}`, `phone ${'x'.repeat(42)}`],
    [`phone ${'x'.repeat(43)}`, `hone ${'x'.repeat(43)}`],
    ['phone [SSN] or ', '] or '],
    ['phone [CREDIT_CARD] or ', '] or '],
    ['phone [EMAIL] or ', 'phone [email] or '],
    ['phone [SSN) or ', 'phone [ssn) or '],
  ];
  assert.deepEqual(
    cases.map(([text]) => [text, lead(text)]),
    cases,
  );
  assert.equal(after('12 is a Phone of somebody', 2), ' is a phone of s');
});

test('recognizes marks and letters around a value', () => {
  for (const letter of 'nrt') assert.ok(isLineEscape(`\\${letter}`, 1), letter);
  for (const text of ['\\a', '/n', 'nn']) assert.ok(!isLineEscape(text, 1), text);
  assert.ok(!isLineEscape('n', 0));
  for (const [text, at] of [
    ['1', 1],
    ['1-', 2],
    ['1---', 4],
    ['1_', 2],
  ] as const)
    assert.ok(isAfterValue(text, at, 1), text);
  for (const text of ['1----', '1a', '1-a', '1\u7535']) assert.ok(!isAfterValue(text, text.length, 1), text);
  assert.ok(!isAfterValue('--', 2, 0), 'no value was found');
  for (const letter of 'aZ0_\u00aa\u00e9\u1fff\u2c00\u2fff\u3031\ud7ff\u0434\u7535')
    assert.ok(isWordish(letter, 0), JSON.stringify(letter));
  for (const sign of ' -\u0080\u00a9\u00ab\u00d7\u2000\u2bff\u3000\u3030\ud800\u060c')
    assert.ok(!isWordish(sign, 0), JSON.stringify(sign));
  assert.ok(!isWordish('', 0));
  assert.deepEqual([classAt('a', 0), classAt('a', 1), classAt('\u0080', 0)], [CHAR_CLASS[97], 0, 0]);
});
