import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, nullable, nullableText } from '@csg/shared/contract';
import Type from 'typebox';
import Schema from 'typebox/schema';

test('a nullable value is required, and is the value or null', () => {
  const schema = Type.Object({ limit: nullable(Type.Integer({ minimum: 1 }), { description: 'A limit.' }) });
  for (const limit of [1, null]) assert.ok(Schema.Check(schema, { limit }));
  for (const wrong of [{ limit: 0 }, { limit: 'null' }, { limit: undefined }, {}]) {
    assert.ok(!Schema.Check(schema, wrong), JSON.stringify(wrong));
  }
  assert.equal((schema.properties.limit as { description?: string }).description, 'A limit.');
  assert.ok(Schema.Check(nullableText, ''));
});

test('a count is a non-negative integer, with a description only if given', () => {
  for (const [value, isCount] of [
    [0, true],
    [7, true],
    [-1, false],
    [0.5, false],
  ] as const) {
    assert.equal(Schema.Check(count(), value), isCount, String(value));
  }
  assert.deepEqual(Object.keys(count()).includes('description'), false);
  assert.equal((count('Of all.') as { description?: string }).description, 'Of all.');
});
