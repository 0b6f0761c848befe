import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finish, isJsonInSteps } from '../../../shared/text/index.ts';
import { pausesOf } from '../../support/pauses.ts';
import { createRandom } from '../../support/random.ts';

const isJson = (text: string): boolean => finish(isJsonInSteps(text));

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a text is JSON', () => {
  const members = Array.from({ length: 1_500 }, (_, n) => `"name ${n}": [${n}, {"a": "b,]\\"", "c": null}]`);
  const long = `{${members.join(', ')}}`;

  test('as JSON.parse says, whatever is changed in a long one', () => {
    const random = createRandom(3);
    const signs = [...',:[]{}"\\0-1e.tn \n'];
    let accepted = 0;
    for (let round = 0; round < 150; round++) {
      const at = random.below(long.length);
      const removed = random.below(3);
      const put = random.chance(0.5) ? '' : random.pick(signs);
      const text = long.slice(0, at) + put + long.slice(at + removed);
      const is = isJson(text);
      if (is) accepted++;
      assert.equal(is, parses(text), `${at} ${removed} ${put}`);
    }
    assert.ok(accepted > 20 && accepted < 130, `${accepted}`);
  });

  test('also if it is cut, deep, empty, or has nothing between commas', () => {
    const zeros = '0,'.repeat(20_000);
    const deep = '[0,'.repeat(8_000);
    const texts = [
      ...['', '1', '[', `[${zeros}0]`, `[${zeros},0]`, `[${zeros}]`, `{${zeros}0}`, `${zeros}0`],
      ...[`[${zeros}0}`, `[${zeros}0]]`, `${deep}0${']'.repeat(8_000)}`, deep, `"${zeros}"`, `"${zeros}`],
      ...[long, long.slice(0, -1), `${long}]`, long.replaceAll(': [', ', ['), ` ${long}\n`],
    ];
    for (const text of texts) assert.equal(isJson(text), parses(text), text.slice(0, 40));
  });

  test('in steps of a part of it', () => {
    assert.ok(pausesOf(isJsonInSteps(long)) >= Math.floor(long.length / 2 / 16_384));
    assert.equal(isJson(long), true);
  });
});
