import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasExactNumbers } from '../../../shared/text/index.ts';

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
