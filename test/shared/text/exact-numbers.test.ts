import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasExactNumbers, hasExactNumbersInSteps } from '../../../shared/text/index.ts';

test('distinguishes numbers that parsing changed from others', () => {
  for (const exact of ['{"a":[9007199254740991,-1.25,0.1,"12345678901234567890",null,true]}', '""', '{}'])
    assert.equal(hasExactNumbers(JSON.parse(exact)), true, exact);
  for (const changed of [
    '{"a":[{"b":12345678901234567890}]}',
    '[9007199254740993]',
    '1e999',
    '-1e400',
    '1e300',
  ])
    assert.equal(hasExactNumbers(JSON.parse(changed)), false, changed);
});

test('does not follow endless nesting', () => {
  assert.equal(hasExactNumbers(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)), false);
});

test('looks at many members in steps', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, [n]]));
  let steps = 0;
  const work = hasExactNumbersInSteps({ ...many, last: 2 ** 60 });
  for (let step = work.next(); ; step = work.next(), steps++)
    if (step.done === true) {
      assert.equal(step.value, false);
      break;
    }
  assert.ok(steps > 100);
});
