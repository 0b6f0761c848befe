import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveQueryKey } from '../../../apps/cloud/src/plugins/query-key.ts';

const PATH = '/api/v1beta/models/gemini-test:streamGenerateContent';

for (const [target, due, key] of [
  [`${PATH}?key=abc`, PATH, 'abc'],
  [`${PATH}?alt=sse&key=a%2Bb`, `${PATH}?alt=sse`, 'a+b'],
  [`${PATH}?key=abc&alt=sse&key=def`, `${PATH}?alt=sse`, 'abc'],
  ['/api/v1/models?key=abc', '/api/v1/models', 'abc'],
  ['/api/v1/proxy/models/m:countTokens?key=abc', '/api/v1/proxy/models/m:countTokens', 'abc'],
  [`${PATH}?key=`, PATH, undefined],
  [`${PATH}?alt=sse`, `${PATH}?alt=sse`, undefined],
  [PATH, PATH, undefined],
  ['/api/v1/chat/completions?key=abc', '/api/v1/chat/completions?key=abc', undefined],
  ['/api/v1/modelsx?key=abc', '/api/v1/modelsx?key=abc', undefined],
] as const)
  test(`handles the key in the query of ${target}`, () => {
    const headers: Record<string, string> = {};
    assert.equal(moveQueryKey(target, { headers }), due);
    assert.equal(headers['x-goog-api-key'], key);
  });

test('keeps a key that is sent as a header', () => {
  const headers = { 'x-goog-api-key': 'sent' };
  assert.equal(moveQueryKey(`${PATH}?key=abc`, { headers }), PATH);
  assert.equal(headers['x-goog-api-key'], 'sent');
});
