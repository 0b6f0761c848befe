import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  mayRepeatNames as mayRepeat,
  parseAllMembers,
  parseEveryMember,
} from '../../../shared/text/index.ts';

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

test('reads the last, the first and all of repeated members', () => {
  const { value, repeated } = parseEveryMember(
    '{"a":{"b":1,"b":"\\u0078\\"]"},"\\u0061":[2,{"c":null,"c":-1e2}]}',
  );
  assert.deepEqual(value, { a: [2, { c: -100 }] });
  assert.deepEqual(repeated?.first, { a: { b: 1 } });
  assert.deepEqual(repeated?.all, [{ a: [{ b: 1 }, { b: 'x"]' }] }, { a: [2, [{ c: null }, { c: -100 }]] }]);
  assert.equal(parseEveryMember('{"a":1,"b":{"a":2}}').repeated, null);
  assert.equal(parseEveryMember('7').repeated, null);
  assert.throws(() => parseEveryMember('{"a":'), SyntaxError);
  const proto = parseEveryMember('{"__proto__":1,"__proto__":2}').repeated?.first;
  assert.deepEqual(Object.entries(proto as object), [['__proto__', 1]]);
  const deep = `${'{"a":0,"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  assert.deepEqual(parseEveryMember(deep).repeated?.first, { a: 0 });
});
