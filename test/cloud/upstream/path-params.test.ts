import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertParams } from '../../../apps/cloud/src/upstream/path-params.ts';

test('parameters fill a segment of their own, encoded as the providers’ packages do it', () => {
  for (const [model, due] of [
    ['gpt-4o', 'gpt-4o'],
    ['ft:gpt-4o:org::id', 'ft:gpt-4o:org::id'],
    ['a/b', 'a%2Fb'],
    ['50% ?#', '50%25%20%3F%23'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['..x', '..x'],
  ] as const)
    assert.equal(insertParams('/v1/models/{model}:act', { model }), `/v1/models/${due}:act`);
  assert.equal(insertParams('/v1/responses/{id}/cancel', { id: 'r' }), '/v1/responses/r/cancel');
  assert.equal(insertParams('/v1/models'), '/v1/models');
});

test('no parameter leads to another path', () => {
  for (const model of ['', '.', '..', '\ud800'])
    assert.throws(() => insertParams('/v1/models/{model}', { model }), { code: 'invalid_request' });
});
