import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { documented } from '../../../apps/cloud/src/routes/documented.ts';

const about = { id: 'doIt', tag: 'Tag', summary: 'Summary', response: Type.Object({ ok: Type.Boolean() }) };

test('a route that needs a key documents the errors that come with it', () => {
  const { response } = documented({ ...about, codes: ['quota_exceeded'] }) as {
    response: Record<string, object>;
  };
  assert.deepEqual(Object.keys(response).sort(), ['200', '401', '403', '429']);
  assert.match(JSON.stringify(response['403']), /`quota_exceeded`/);
  assert.match(JSON.stringify(response['403']), /`insufficient_scope`/);
});

test('an open route documents none of them, and needs no key', () => {
  const route = documented({ ...about, open: true }) as { response: object; security: unknown[] };
  assert.deepEqual(Object.keys(route.response), ['200']);
  assert.deepEqual(route.security, []);
});

test('a typed body can fail its schema, a provider’s cannot', () => {
  const body = Type.Object({ name: Type.String() });
  assert.ok('422' in (documented({ ...about, body })['response'] as object));
  assert.ok(!('422' in (documented({ ...about, body, bodyIsOpaque: true })['response'] as object)));
});
