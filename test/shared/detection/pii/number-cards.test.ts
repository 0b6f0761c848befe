/** Cases just inside and just outside each limit of the readers of numbers, mostly called directly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardEnd, cardVerdict } from '../../../../shared/detection/pii/credit-card.ts';
import { readCard } from '../../../../shared/detection/pii/read-card.ts';
import { splitCardFrom } from '../../../../shared/detection/pii/split-card.ts';
import { groupsOf, withCheckDigit } from '../../../support/digit-groups.ts';
import { codesOf } from '../../../support/text-of.ts';

const valuesOf = (digits: string) => [...digits].map(Number);

test('a card number has a range, a length and a check digit', () => {
  const verdict = (lead: string, length: number) => {
    const number = withCheckDigit(lead.padEnd(length - 1, lead === '0' ? '1' : '0'));
    return cardVerdict(valuesOf(`9${number}9`), 1, length);
  };
  const cases: readonly (readonly [string, number, ReturnType<typeof verdict>])[] = [
    ...[13, 16, 19].map((length) => ['4', length, 'yes'] as const),
    ...[12, 14, 15, 17, 18, 20].map((length) => ['4', length, 'no'] as const),
    ['3999', 16, 'yes'],
    ['5000', 16, 'context'],
    ['5079', 16, 'context'],
    ['508', 16, 'yes'],
    ['5099', 16, 'context'],
    ['5100', 16, 'yes'],
    ['5599', 16, 'yes'],
    ['5600', 16, 'context'],
    ['2199', 16, 'no'],
    ['2200', 16, 'yes'],
    ['2204', 16, 'yes'],
    ['2205', 16, 'no'],
    ['2220', 16, 'no'],
    ['2221', 16, 'yes'],
    ['2720', 16, 'yes'],
    ['2721', 16, 'no'],
    ['3399', 15, 'no'],
    ['3400', 15, 'yes'],
    ['3499', 15, 'yes'],
    ['3500', 15, 'no'],
    ['3699', 14, 'yes'],
    ['3700', 14, 'no'],
    ['3700', 15, 'yes'],
    ['3800', 15, 'no'],
    ['3059', 14, 'yes'],
    ['3060', 14, 'no'],
    ['3094', 14, 'no'],
    ['3095', 14, 'yes'],
    ['3096', 14, 'no'],
    ['3527', 16, 'no'],
    ['3528', 16, 'yes'],
    ['3589', 16, 'yes'],
    ['3590', 16, 'no'],
    ['6010', 16, 'context'],
    ['6011', 16, 'yes'],
    ['6199', 17, 'context'],
    ['6200', 17, 'yes'],
    ['6439', 16, 'context'],
    ['6440', 16, 'yes'],
    ['6599', 16, 'yes'],
    ['6600', 16, 'context'],
    ['6999', 12, 'context'],
    ['7000', 16, 'no'],
    ['8099', 16, 'no'],
    ['8100', 16, 'yes'],
    ['8299', 16, 'yes'],
    ['8300', 16, 'no'],
    ['6799', 11, 'no'],
  ];
  for (const [lead, length, expected] of cases)
    assert.equal(verdict(lead, length), expected, `${lead}, ${length} digits`);
  assert.equal(cardVerdict(valuesOf('4111111111111112'), 0, 16), 'no', 'a wrong check digit');
  // thirteen sixes pass the check
  assert.equal(cardVerdict(valuesOf('16666666666666'), 1, 13), 'no', 'one digit');
  assert.equal(cardVerdict(valuesOf('66666666666660'), 0, 13), 'no', 'one digit, and another after it');
  assert.equal(cardVerdict(valuesOf(withCheckDigit('666666666660')), 0, 13), 'context');
});

test('a card number is written in one piece or in groups', () => {
  const seventeen = withCheckDigit('6200000000000000');
  const cases: readonly (readonly [string, number])[] = [
    ['4111111111111111', 0],
    ['4111 1111 1111 1111', 3],
    ['4111-1111-1111-1111', 3],
    ['4111.1111.1111.1111', 3],
    ['4111/1111/1111/1111', -1],
    ['4111 1111 1111-1111', -1],
    ['4111-1111 1111 1111', -1],
    ['4222-2222-2222-2', 3],
    ['4222-2222-222-22', -1],
    ['4222-222-2222-22', -1],
    ['3782 822463 10005', 2],
    ['3056 930902 5904', 2],
    ['4111 111111 111111', -1],
    ['3782 82246 310005', -1],
    ['3782 8224 6310 005', 3],
    ['411111111111 1111', -1],
    ['41111 1111 1111 111', -1],
    [
      `${seventeen.slice(0, 4)} ${seventeen.slice(4, 8)} ${seventeen.slice(8, 12)} ${seventeen.slice(12)}`,
      -1,
    ],
    [
      `${seventeen.slice(0, 4)} ${seventeen.slice(4, 8)} ${seventeen.slice(8, 12)} ${seventeen.slice(12, 16)} ${seventeen[16]}`,
      4,
    ],
    [withCheckDigit('400000000000000000'), 0],
    [withCheckDigit('4000000000000000000'), -1],
  ];
  for (const [text, last] of cases) assert.equal(cardEnd(groupsOf(text), 0, 0, 'yes'), last, text);
  assert.equal(cardEnd(groupsOf('12 4111 1111 1111 1111'), 1, 1, 'yes'), 4);
  assert.equal(cardEnd(groupsOf('12 3782 822463 10005'), 1, 1, 'yes'), 3);
  assert.equal(cardEnd(groupsOf('4111 1111 1111 1111'), 0, 3, 'yes'), 3);
  assert.equal(cardEnd(groupsOf('4111 1111 1111 1111'), 0, 4, 'yes'), -1);
  const maestro = withCheckDigit('50180000000');
  assert.equal(cardEnd(groupsOf(maestro), 0, 0, 'context'), 0);
  assert.equal(cardEnd(groupsOf(maestro), 0, 0, 'yes'), -1);
  assert.equal(cardEnd(groupsOf(withCheckDigit('5018000000')), 0, 0, 'context'), -1);
});

test('confidence in a card number is higher next to a word, in groups, and with nothing after it', () => {
  const maestro = withCheckDigit('50180000000');
  const cases: readonly (readonly [text: string, lead: string, end: number, confidence: number])[] = [
    ['4111 1111 1111 1111', 'my card ', 19, 0.99],
    ['4111 1111 1111 1111', '', 19, 0.97],
    ['4111111111111111', '', 16, 0.9],
    ['4111111111111111', 'order ', -1, 0],
    ['4111111111111111', 'order of a card ', 16, 0.99],
    ['4111111111111111a', '', -1, 0],
    [maestro, '', -1, 0],
    [maestro, 'card ', 12, 0.99],
    ['4111 1111 1111 1111 1234', '', -1, 0],
    ['4111 1111 1111 1111 1234', 'card ', 19, 0.99],
    ['4111 1111 1111 1111 123', '', 19, 0.97],
    ['4111 1111 1111 1111 12345', '', 19, 0.97],
    ['4111 1111 1111 1111-1234', '', 19, 0.97],
    ['4111 1111 1111 1111 1234:', '', 19, 0.97],
    ['4111 1111 1111 1111 1234 5678', '', -1, 0],
    ['4111 1111 1111 1111 1234-5678', '', 19, 0.97],
    ['4111 1111 1111 1111 4111 1111 1111 1111', '', 19, 0.97],
  ];
  for (const [text, lead, end, confidence] of cases) {
    const span = readCard(text, groupsOf(text), 0, lead);
    assert.deepEqual([span?.end ?? -1, span?.confidence ?? 0], [end, confidence], `${lead}${text}`);
  }
  const iban = 'de89 3704 4111111111111111';
  assert.equal(readCard(iban, groupsOf(iban, 10), 0, ''), undefined, 'a part of an account number');
  const behind = '12 4111 1111 1111 1111';
  assert.deepEqual([readCard(behind, groupsOf(behind), 1, '')?.start], [3]);
});

test('a split card has gaps of up to three characters, and groups of one or four digits', () => {
  const nineteen = withCheckDigit('400000000000000000');
  const split = (digits: string, size: number, gap: string) =>
    digits.match(new RegExp(`.{1,${size}}`, 'g'))!.join(gap);
  const visa = '4111111111111111';
  const ones = split(visa, 1, ' ');
  const cases: readonly (readonly [text: string, value: string | undefined])[] = [
    [`is ${split(visa, 4, '//')} ok`, split(visa, 4, '//')],
    [`is ${split(visa, 4, '///')} ok`, split(visa, 4, '///')],
    [`card ${split(visa, 4, '////')}`, undefined],
    [`is ${split(nineteen, 4, ' / ')} ok`, split(nineteen, 4, ' / ')],
    [`card ${split(nineteen, 1, ' / ')}`, split(nineteen, 1, ' / ')],
    [`card ${split(`${nineteen}0`, 1, ' / ')}`, undefined],
    [`card ${split('4222222222222', 1, '.')}`, split('4222222222222', 1, '.')],
    ['is 4111//1111//1111/1111 ok', undefined],
    ['is 4111/1111//1111//1111 ok', undefined],
    ['card 4111//1111//1111/1111', '4111//1111//1111/1111'],
    [`is ${ones} ok`, undefined],
    [ones, ones],
    [` ${ones}\n`, ones],
    [`is ${ones}`, undefined],
    [`${ones} ok`, undefined],
    [`card ${ones} ok`, ones],
    ['card 4 1 1 1 1 1 1 1 1 1 1 1 1111', undefined],
    ['card 1111/4 1 1 1 1 1 1 1 1', undefined],
    ['card 4111/1/1/1/1/1/1/1/1/1/1/1/1', '4111/1/1/1/1/1/1/1/1/1/1/1/1'],
    ['card 4111/1111/11111111', undefined],
    ['card 4111/111/11111/1111', undefined],
    ['card 4111/1111/1111/1112', undefined],
    ['card 4111/1111a1111/1111', undefined],
    ['card 4111/1111/11a11/1111', undefined],
    [
      `card ${split(withCheckDigit('499999999999999'), 4, '/')}`,
      split(withCheckDigit('499999999999999'), 4, '/'),
    ],
    ['card 4111\u00801111\u00801111\u00801111', undefined],
    ['card 4111/1111/1111/1111a', undefined],
    ['card 4111/1111/1111/1111 a', '4111/1111/1111/1111'],
    ['card 41/11/11/11/11/11/11/11', undefined],
    ['card 411/1111/1111/1111/1', undefined],
    ['order 4111//1111//1111//1111 ok', undefined],
    ...['\n', '\r', '\t', ',', ':', ';'].map((gap) => [`is ${split(visa, 4, gap)} ok`, undefined] as const),
    ...['\n', ',', '\u00a0 ', '\u00b7', '\u2000', '\u202f', '\u2022', '_', '[', '{'].map(
      (gap) => [`card ${split(visa, 4, gap)} ok`, split(visa, 4, gap)] as const,
    ),
    ...['@', 'a', 'z', 'A', 'Z', '\u00e9', '\u1fff', '\u2030', '\u2031', '\0'].map(
      (gap) => [`card ${split(visa, 4, gap)} ok`, undefined] as const,
    ),
  ];
  for (const [text, value] of cases) {
    const { index = -1, 0: first = '' } = /\d+/.exec(text) ?? {};
    const span = splitCardFrom(text, codesOf(text), index, index + first.length);
    assert.equal(span && text.slice(span.start, span.end), value, JSON.stringify(text));
    if (span !== undefined) assert.equal(span.confidence, text.startsWith('card') ? 0.95 : 0.85, text);
  }
});
