import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStreamed } from '@csg/shared/providers';

test('a request asks for a stream in its body, in its query, by its path, or not at all', () => {
  const inQuery = { streams: { query: 'alt', value: 'sse' } } as const;
  assert.equal(isStreamed({}, { stream: true }, undefined), true);
  assert.equal(isStreamed({}, { stream: false }, 'alt=sse'), false);
  assert.equal(isStreamed(inQuery, { stream: true }, undefined), false);
  assert.equal(isStreamed(inQuery, { stream: false }, 'a=b&alt=sse'), true);
  assert.equal(isStreamed({ streams: 'always' }, { stream: false }, undefined), true);
  assert.equal(isStreamed({ streams: 'never' }, { stream: true }, undefined), false);
});
