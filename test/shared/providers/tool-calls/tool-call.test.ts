import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spellingOf, toToolCall } from '../../../../shared/providers/index.ts';
import { finish } from '../../../../shared/text/index.ts';

const LONG = 300_000;
const read = (given: string) => finish(toToolCall('/call', 'c', 'pay', given));

describe('the arguments of a call', () => {
  test('keep the digits of numbers that a double cannot hold; longer JSON with such numbers is kept as written', () => {
    const account = '12345678901234567890';
    assert.deepEqual(read(`{"to":${account}}`).arguments, { to: account });
    const long = `{"to":${account},"note":"${'x'.repeat(LONG)}"}`;
    assert.deepEqual(read(long).arguments, { input: long });
    assert.deepEqual(read(`{"to":1,"note":"${'x'.repeat(LONG)}"}`).arguments['to'], 1);
  });

  test('have a spelling to compare with a text, unless it is very long', () => {
    assert.equal(spellingOf('{"b":1, "a":2}'), read('{"a":2,"b":1}').spelling);
    assert.equal(spellingOf(`{"a":"${'x'.repeat(LONG)}"}`), null);
  });

  test('are read in steps', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])));
    let steps = 0;
    const work = toToolCall('/call', 'c', 'pay', many);
    while (work.next().done !== true) steps++;
    assert.ok(steps > 200);
  });
});
