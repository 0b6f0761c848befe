import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '@csg/shared/detection';
import { changesBetween } from '@csg/shared/text';
import { maskPositions } from '../../../apps/desktop/src/inspect/mask-positions.ts';

const workspace = new Workspace();
const ANNA = 'anna.svensson@example.com';
const CARD = '4111 1111 1111 1111';

/** The values that masks stand for, derived from the text that the service returns. */
function valuesOf(text: string, written: string): (readonly [string, string])[] | null {
  const places = maskPositions(text, changesBetween(text, written), workspace);
  return places?.map(({ start, end, text: mask }) => [mask, text.slice(start, end)] as const) ?? null;
}

test('each mask gets its own value, also next to another, and if a value contains the separator', () => {
  assert.deepEqual(valuesOf(`Write to ${ANNA}.`, 'Write to [EMAIL].'), [['[EMAIL]', ANNA]]);
  assert.deepEqual(valuesOf(`my card is ${CARD} ${ANNA}`, 'my card is [CREDIT_CARD] [EMAIL]'), [
    ['[CREDIT_CARD]', CARD],
    ['[EMAIL]', ANNA],
  ]);
  assert.deepEqual(valuesOf(`${CARD} 5500 0000 0000 0004`, '[CREDIT_CARD] [CREDIT_CARD]'), [
    ['[CREDIT_CARD]', CARD],
    ['[CREDIT_CARD]', '5500 0000 0000 0004'],
  ]);
  assert.deepEqual(valuesOf(`[EMAIL] is ${ANNA}`, '[EMAIL] is [EMAIL]'), [['[EMAIL]', ANNA]]);
});

test('types that only a policy names are located too, whatever their mask', () => {
  const iban = 'DE89 3704 0044 0532 0130 00';
  const street = '12 Baker Street, London NW1 6XE';
  assert.deepEqual(valuesOf(`Pay ${iban} today.`, 'Pay [IBAN] today.'), [['[IBAN]', iban]]);
  assert.deepEqual(valuesOf(`Ship it to ${street}.`, 'Ship it to [ADDRESS].'), [['[ADDRESS]', street]]);
});

test('a mask that the device cannot derive itself is not located', () => {
  assert.equal(valuesOf('Call Anna Svensson.', 'Call [NAME].'), null);
  assert.equal(valuesOf(`Write to ${ANNA}.`, 'Call [PHONE].'), null);
  assert.equal(valuesOf(`Write to ${ANNA}.`, '[WITHHELD: instruction in untrusted content]'), null);
});

test('a value is found also if its mask is in quotes, or if the text contained a mask itself', () => {
  const places = [{ start: 0, end: 19, text: '"[CREDIT_CARD]"' }];
  assert.deepEqual(maskPositions(CARD, places, workspace), places);
  assert.deepEqual(valuesOf(`[EMAIL] is ${CARD} ${ANNA}`, '[EMAIL] is [CREDIT_CARD] [EMAIL]'), [
    ['[CREDIT_CARD]', CARD],
    ['[EMAIL]', ANNA],
  ]);
});

test('nothing is located if other words changed, too', () => {
  for (const written of [
    'Call Bert at [CREDIT_CARD] [EMAIL].',
    'Call Anna at [CREDIT_CARD] [EMAIL]!',
    'Call Anna at [CREDIT_CARD] or [EMAIL].',
    'Call Anna at [CREDIT_CARD] [EMAIL]. And more.',
    'Call Anna at [CREDIT_CARD] [EMAIL]',
  ])
    assert.equal(valuesOf(`Call Anna at ${CARD} ${ANNA}.`, written), null, written);
});

test('a value is located only if nothing else of the text changed', () => {
  const mail = (text: string, ...list: { start: number; end: number; text: string }[]) =>
    maskPositions(text, list, workspace);
  const [start, end] = [2, 2 + ANNA.length];
  const text = `a ${ANNA}`;
  const change = { start: 0, end: 1, text: 'b' };
  assert.equal(mail(text, change, { start, end, text: '[EMAIL]' }), null, 'a change before it');
  assert.equal(mail(`${ANNA} and more`, { start: 0, end: ANNA.length + 9, text: '[EMAIL]' }), null);
});
