import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { startGateway } from '../../support/gateway.ts';

test('a known path with another method is a 405 that names the allowed ones', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  for (const [method, path, allow] of [
    ['GET', '/api/v1/guard', 'POST'],
    ['PATCH', '/api/v1/proxy/security/scan', 'POST'],
    ['DELETE', '/api/v1/projects', 'GET, HEAD, POST'],
    ['POST', '/api/v1/api-keys/key_1', 'DELETE, PATCH'],
    ['POST', '/version', 'GET, HEAD'],
    ['PUT', '/health', 'GET, HEAD'],
    ['PROPFIND', '/api/v1/projects', 'GET, HEAD, POST'],
    ['MKCOL', '/api/v1/guard', 'POST'],
    ['QUERY', '/api/v1/guard', 'POST'],
    ['GET', '/api/v1/%67uard?a=b', 'POST'],
    ['GET', '/dashboard/keys/key_1/rotate', 'POST'],
  ] as const) {
    const answer = await readAnswer(gateway.call(method, path, { key: null }));
    assert.equal(answer.status, 405, `${method} ${path}`);
    assert.equal(answer.error['code'], 'method_not_allowed');
    const named = (answer.headers.get('allow') ?? '').split(/, */).sort().join(', ');
    assert.equal(named, allow);
  }
});

test('a path without any route is a 404, whatever the method', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const tooLong = `/api/v1/api-keys/${'k'.repeat(300)}`;
  for (const [method, path] of [
    ['GET', '/api/v1/nowhere'],
    ['PROPFIND', '/api/v1/nowhere'],
    ['QUERY', '/api/v1/nowhere'],
    ['POST', '/api/v1/guard/more'],
    ['DELETE', tooLong],
    ['GET', tooLong],
  ] as const) {
    const answer = await readAnswer(gateway.call(method, path));
    assert.equal(answer.status, 404, `${method} ${path}`);
    assert.equal(answer.error['code'], 'not_found');
  }
});
