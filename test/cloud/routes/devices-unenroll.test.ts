import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Json, readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

const unenroll = (key: string) => readAnswer(gateway.call('POST', '/api/v1/devices/unenroll', { key }));

test('a device that unenrolls is revoked immediately, and is the actor in the audit log', async () => {
  const key = await gateway.addDevice();
  const left = await unenroll(key);
  assert.equal(left.status, 200, left.text);
  const id = left.body['device_id'];
  assert.deepEqual(left.body, { device_id: id, revoked: true });
  for (const [method, path] of [
    ['GET', '/api/v1/devices/config'],
    ['POST', '/api/v1/devices/unenroll'],
  ] as const) {
    const refused = await readAnswer(gateway.call(method, path, { key }));
    assert.equal(refused.status, 401, refused.text);
    assert.equal((refused.body['error'] as Json)['code'], 'invalid_api_key');
  }
  const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 10 });
  const [row] = rows.filter(({ kind }) => kind === 'device_unenrolled');
  assert.deepEqual([row?.actor, row?.subject], [id, id]);
});

test('concurrent requests unenroll a device once', async () => {
  const key = await gateway.addDevice();
  const answers = await Promise.all(Array.from({ length: 8 }, () => unenroll(key)));
  for (const { status, text } of answers) assert.ok(status === 200 || status === 401, text);
  const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 50 });
  const [first] = answers.filter(({ status }) => status === 200);
  const notices = rows.filter(
    (row) => row.kind === 'device_unenrolled' && row.subject === first?.body['device_id'],
  );
  assert.equal(notices.length, 1);
});
