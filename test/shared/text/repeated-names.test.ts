import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayRepeatNames as mayRepeat, parseAllMembers } from '../../../shared/text/index.ts';

const mayRepeatNames = (json: string): boolean => mayRepeat(json, JSON.parse(json) as object);

test('detects a duplicate name in an object, in any spelling and at any depth', () => {
  const twice = ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"b":{"a":1,"a":1}}]'];
  for (const json of twice) assert.equal(mayRepeatNames(json), true, json);
  for (const json of ['{"a":1,"b":{"a":2}}', '[{"a":1},{"a":2}]', '{"a":"\\"a\\":1"}'])
    assert.equal(mayRepeatNames(json), false, json);
  assert.equal(mayRepeatNames(`${'['.repeat(101)}${']'.repeat(101)}`), true, 'too deep to be sure');
});

test('keeps every value of duplicate names', () => {
  assert.deepEqual(parseAllMembers('{"a":1,"a":[true,{"b":null,"b":"x"}]}'), [
    { a: 1 },
    { a: [true, [{ b: null }, { b: 'x' }]] },
  ]);
  assert.deepEqual(parseAllMembers('{"a":1,"b":[2]}'), { a: 1, b: [2] });
  assert.equal(parseAllMembers('{"a":1'), null);
  for (const text of ['text', 'no JSON', '']) assert.equal(parseAllMembers(text), null);
  const deep = 200_000;
  assert.notEqual(parseAllMembers(`${'['.repeat(deep)}${']'.repeat(deep)}`), null);
});
