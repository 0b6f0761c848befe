import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { startGateway } from '../../support/gateway.ts';

test('every response has a request id of our own; the caller’s id is not used', async (t) => {
  const gateway = await startGateway({ env: { LOG_LEVEL: 'info' } });
  t.after(() => gateway.close());
  const ids = new Set<string>();
  for (const path of ['/', '/nowhere', '/api/v1/projects', '/api/v1/guard']) {
    const answer = await readAnswer(
      gateway.call('GET', path, { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } }),
    );
    const id = answer.headers.get('x-request-id') ?? '';
    assert.match(id, /^req_[0-9A-Za-z]{16}$/);
    ids.add(id);
  }
  assert.equal(ids.size, 4);
  const lines = gateway.logLines.filter((line) => line.includes('answered'));
  for (const id of ids)
    assert.ok(
      lines.some((line) => line.includes(id)),
      'the log has the same id',
    );
});
