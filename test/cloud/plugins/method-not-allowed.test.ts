import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { startGateway } from '../../support/gateway.ts';

test('a known address with another method is a 405 that names the right ones', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  for (const [method, path, allow] of [
    ['GET', '/api/v1/guard', 'POST'],
    ['PATCH', '/api/v1/proxy/security/scan', 'POST'],
    ['DELETE', '/api/v1/projects', 'GET, HEAD, POST'],
    ['POST', '/api/v1/api-keys/key_1', 'DELETE'],
    ['POST', '/version', 'GET, HEAD'],
    ['PUT', '/health', 'GET, HEAD'],
    ['PROPFIND', '/api/v1/projects', 'GET, HEAD, POST'],
    ['MKCOL', '/api/v1/guard', 'POST'],
  ] as const) {
    const answer = await readAnswer(gateway.call(method, path, { key: null }));
    assert.equal(answer.status, 405, `${method} ${path}`);
    assert.equal(answer.error['code'], 'method_not_allowed');
    const named = (answer.headers.get('allow') ?? '').split(/, */).sort().join(', ');
    assert.equal(named, allow);
  }
});
