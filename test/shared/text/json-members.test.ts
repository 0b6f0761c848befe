import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonMembers } from '../../../shared/text/index.ts';

test('returns the members of the outermost object as written', () => {
  const json = '{ "type" : "a,\\"}", "n":9007199254740993 ,"in":{"type":[1,{"x":2}]},"\\u0061":null}';
  assert.deepEqual(
    jsonMembers(json).map(({ name, start, end }) => [name, json.slice(start, end).trim()]),
    [
      ['type', '"type" : "a,\\"}"'],
      ['n', '"n":9007199254740993'],
      ['in', '"in":{"type":[1,{"x":2}]}'],
      ['a', '"\\u0061":null'],
    ],
  );
  assert.deepEqual(jsonMembers('{}'), []);
});
