/** Cases just inside and just outside each limit of the readers of numbers, mostly called directly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadOf } from '../../../../shared/detection/pii/context.ts';
import { phoneFrom } from '../../../../shared/detection/pii/phone.ts';
import { groupsOf } from '../../../support/digit-groups.ts';
import { codesOf } from '../../../support/text-of.ts';

test('a phone number is recognized by its groups, its digits and its surroundings', () => {
  const cases: readonly (readonly [text: string, value: string | undefined, confidence?: number])[] = [
    // after a plus
    ['+4930901820', '+4930901820', 0.97],
    ['(+49) 30 901820', '(+49) 30 901820', 0.97],
    ['(+49 30 901820)', '+49 30 901820', 0.97],
    ['+49 3 0 9 0 1 8 2 0', '+49 3 0 9 0 1 8 2 0', 0.97],
    ['+49 3 0 9 0 1 8 2 0 1', undefined],
    ['+999 999 9999', undefined],
    ['phone +999 999 9999', '+999 999 9999', 0.97],
    // in brackets
    ['(212) 555-0123', '(212) 555-0123', 0.9],
    ['f(212) 555-0123', undefined],
    ['\\n(212) 555-0123', '(212) 555-0123', 0.9],
    ['é(212) 555-0123', undefined],
    ['(030) 1234', '(030) 1234', 0.9],
    ['(030) 123', undefined],
    ['(555) 1234', undefined],
    ['(555) 12345', '(555) 12345', 0.9],
    ['(1994) 2210', undefined],
    ['(1994) 22 10', '(1994) 22 10', 0.9],
    ['(1894) 2210', '(1894) 2210', 0.9],
    ['(2) 5550123', undefined],
    ['(21) 5550123', undefined],
    ['(21) 55501', undefined],
    ['(21) 55501 2', undefined],
    ['(21) 55501 23', '(21) 55501 23', 0.9],
    ['(212 555-0123', undefined],
    // a North American number
    ['212-555-0123', '212-555-0123', 0.85],
    ['212.555.0123', '212.555.0123', 0.85],
    ['1-212-555-0123', '1-212-555-0123', 0.85],
    ['212 555 0123', undefined],
    ['212-555.0123', undefined],
    ['call 212 555 0123', '212 555 0123', 0.97],
    ['order 212-555-0123', undefined],
    ['order call 212-555-0123', '212-555-0123', 0.97],
    ['212-555-0123 mobile', '212-555-0123', 0.97],
    ['212-555-0123a', undefined],
    ['212-555-0123 22', '212-555-0123', 0.85],
    ['212-555-0123 4567', '212-555-0123', 0.85],
    // an extension
    ['212 555 0123 x123', '212 555 0123 x123', 0.85],
    ['212 555 0123x1', '212 555 0123x1', 0.85],
    ['212 555 0123 ext. 5', '212 555 0123 ext. 5', 0.85],
    ['212 555 0123 #5', '212 555 0123 #5', 0.85],
    ['212 555 0123\tx5', '212 555 0123\tx5', 0.85],
    ['212 555 0123\u00a0x5', '212 555 0123\u00a0x5', 0.85],
    ['212 555 0123 x1234567', undefined],
    ['212 555 0123 extension 123456', '212 555 0123 extension 123456', 0.85],
    ['12 555 0123 x12', undefined],
    // a country code behind two zeros
    ['0049 30 901820', '0049 30 901820', 0.85],
    ['00 49 30 901820', '00 49 30 901820', 0.85],
    ['00 4930 901820', undefined],
    ['000 49 30 901820', undefined],
    ['0049 30901820', undefined],
    ['0049 30 182', undefined],
    ['0049 30 18 20', '0049 30 18 20', 0.85],
    // one that is named a phone number
    ['phone 1234567', undefined],
    ['phone 12345678', '12345678', 0.8],
    ['phone 123456789012', '123456789012', 0.8],
    ['phone 1234567890123', undefined],
    ['12345678', undefined],
    ['phone 12345 67', '12345 67', 0.85],
    ['phone 123456 78', undefined],
    ['phone 12 345678', '12 345678', 0.85],
    ['phone 12 12345678', '12 12345678', 0.85],
    ['phone 12 123456789', undefined],
    ['phone 12 3456', undefined],
    ['phone 12 34567', '12 34567', 0.85],
    ['phone 12 34 56 78 90 12', '12 34 56 78 90 12', 0.85],
    ['phone 12 34 56 78 90 12 34', undefined],
    ['phone 1234 5678 9012 345', '1234 5678 9012 345', 0.85],
    ['phone 1234 5678 9012 3456', '1234 5678 9012', 0.85],
    ...['(', ')', ') ', ' (', ')-', '-(', ').'].map(
      (gap) => [`phone 030${gap}901820`, `030${gap}901820`, 0.85] as const,
    ),
    ...['. ', '((', '--'].map((gap) => [`phone 030${gap}901820`, undefined] as const),
    ['phone 03 09(01 8203', '03 09(01 8203', 0.85],
    ['phone 03 09 01(8203', undefined],
    ['phone 03 09 01)8203', undefined],
    // dates and versions
    ['2024-04-03', undefined],
    ['phone 2024-04-03', undefined],
    ['phone 2024-04-03 21 42', '2024-04-03 21 42', 0.85],
    ['phone 2024-04-03 21:42', undefined],
    ['phone 2024-04-03 21', '2024-04-03 21', 0.85],
    ['2024-04-03 21 42 x5', undefined],
    ['2024-04-03 21 42 52', undefined],
    ['phone 03.04.2024', undefined],
    ['phone 11.0.5510', undefined],
    ['phone 1.20.5510', undefined],
    ['phone 11.20.5510', '11.20.5510', 0.85],
    ['phone 11 0 55100', '11 0 55100', 0.85],
    ['phone 11.0.551.22', '11.0.551.22', 0.85],
    ['phone 12345678 * 6', undefined],
    ['phone 12345678 / 6', undefined],
    ['phone 12 345678 * 6', '12 345678', 0.85],
    // where a card or another value begins
    ['12 4111 1111 1111 1111', undefined],
    ['phone 12 4111 1111 1111 1111', undefined],
    ['phone 123 4567 219-09-9999', '123 4567', 0.85],
    ['phone 212-555-0123 219-09-9999', '212-555-0123', 0.97],
    ['phone 030 901820 (212) 555-0123', '030 901820', 0.85],
    // in the identifier of a publication
    ['doi:10.1000/(212) 555-0123', undefined],
    ['doi:10.1000/ (212) 555-0123', '(212) 555-0123', 0.9],
    ['doi:110.1000/(212) 555-0123', '(212) 555-0123', 0.9],
    [`10.1000/${'x'.repeat(39)}/(212) 555-0123`, undefined],
    [`10.1000/${'x'.repeat(40)}/(212) 555-0123`, '(212) 555-0123', 0.9],
  ];
  const found = cases.map(([text]) => {
    const at = /^doi:|^10/.test(text) ? text.indexOf('212)') : text.search(/\d/);
    const codes = codesOf(text);
    const groups = groupsOf(text, at);
    const span = phoneFrom(text, groups, leadOf(text, codes, at), 0, { phoneValidations: 1 });
    return span === undefined ? [text, undefined] : [text, text.slice(span.start, span.end), span.confidence];
  });
  assert.deepEqual(found, cases);
});

test('a plus or bracket of another value is not used, and costly checks are limited', () => {
  const phone = (text: string, floor: number, phoneValidations = 1) => {
    const at = text.search(/\d/);
    const budget = { phoneValidations };
    const span = phoneFrom(text, groupsOf(text, at), '', floor, budget);
    return [span && text.slice(span.start, span.end), span?.confidence, budget.phoneValidations];
  };
  assert.deepEqual(phone('+4930901820', 0), ['+4930901820', 0.97, 0]);
  assert.deepEqual(phone('+4930901820', 0, 0), ['+4930901820', 0.7, -1]);
  assert.deepEqual(phone('+493090182', 0, 0), ['+493090182', 0.7, -1]);
  assert.deepEqual(phone('+49309018', 0, 0), [undefined, undefined, -1]);
  assert.deepEqual(phone('x+4930901820', 2), [undefined, undefined, 1], 'the plus belongs to another value');
  assert.deepEqual(phone('(+49) 30 901820', 1), ['+49) 30 901820', 0.97, 0]);
  assert.deepEqual(phone('(212) 555-0123', 1), [undefined, undefined, 1]);
  assert.deepEqual(phone('a@b.example_(212) 555-0123', 11)[0], '(212) 555-0123');
  assert.deepEqual(phone('a@b.example(212) 555-0123', 11)[0], '(212) 555-0123');
  assert.deepEqual(phone('a@b.examplex(212) 555-0123', 11)[0], undefined);
});
