import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '../../../../shared/detection/index.ts';
import { createRandom } from '../../../support/random.ts';
import { cardNumber } from '../../../support/sensitive-values.ts';

/** Leading digits and lengths of the issuers (ISO/IEC 7812); `named`: only next to a word about cards. */
const ISSUED: readonly (readonly [lead: string, lengths: readonly number[], named?: true])[] = [
  ['4', [13, 16, 19]],
  ...['51', '55', '2221', '2720'].map((lead) => [lead, [16]] as const),
  ...['34', '37', '1800', '2131'].map((lead) => [lead, [15]] as const),
  ...['6011', '644', '649', '65', '3528', '3589'].map((lead) => [lead, [16, 19]] as const),
  ...['300', '305', '3095', '38', '39'].map((lead) => [lead, [14, 16, 19]] as const),
  ['36', [14]],
  ['62', [16, 17, 18, 19]],
  ...['2200', '2204', '508', '81', '82'].map((lead) => [lead, [16]] as const),
  ...['501', '56', '67'].map((lead) => [lead, [12, 13, 14, 15, 16, 17, 18, 19], true] as const),
];

test('finds a card of every issuer and length', () => {
  const random = createRandom(19);
  for (const [lead, lengths, named] of ISSUED) {
    for (const length of lengths) {
      for (let n = 0; n < 5; n++) {
        const card = cardNumber(random, lead, length);
        const found = (text: string) =>
          piiSpans(text).some(
            ({ type, start, end }) => type === 'credit_card' && text.slice(start, end) === card,
          );
        assert.ok(found(`my card ${card}, thanks`), card);
        assert.equal(found(`is ${card} yours?`), named !== true, `${card} without a word about cards`);
      }
    }
  }
});

test('rejects a wrong check digit, a length that no issuer has, and twenty digits', () => {
  const random = createRandom(20);
  for (const [lead, lengths] of ISSUED) {
    const card = cardNumber(random, lead, lengths.at(-1)!);
    const wrong = card.slice(0, -1) + ((Number(card.at(-1)) + 1) % 10);
    const isCard = (text: string) => piiSpans(text).some(({ type }) => type === 'credit_card');
    assert.ok(!isCard(`my card ${wrong}`), wrong);
    assert.ok(!isCard(`my card ${cardNumber(random, lead, 20)}`));
  }
});
