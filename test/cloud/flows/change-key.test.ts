import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAccount, addDeviceOf, addMember } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('changing keys', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  const ask = (method: string, path: string, key = gateway.key, body?: object) =>
    readAnswer(gateway.call(method, `/api/v1/api-keys/${path}`, { key, ...(body ? { body } : {}) }));

  test('an even number of concurrent toggles leaves a key as it was', async () => {
    const { record } = await gateway.addKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('PUT', `${record.id}/toggle`)));
    assert.equal(answers.filter((answer) => answer.body['is_active'] === true).length, 5);
    const key = await gateway.storage.keys.get(gateway.account.organizationId, record.id);
    assert.equal(key?.isActive, true);
  });

  test('a second rotation does not extend the life of the old key', async () => {
    const { record } = await gateway.addKey();
    const first = await ask('POST', `${record.id}/rotate`, gateway.key, { grace_minutes: 1 });
    const again = await ask('POST', `${record.id}/rotate`, gateway.key, { grace_minutes: 1_000 });
    assert.equal(again.body['old_key_expires_at'], first.body['old_key_expires_at']);
    const none = await ask('POST', `${again.body['id']}/rotate`, gateway.key, { grace_minutes: 0 });
    assert.equal(none.body['old_key_expires_at'], new Date(clock.now()).toISOString());
    const old = await gateway.call('GET', '/api/v1/projects', { key: again.body['key'] as string });
    assert.equal(old.status, 401, 'without a grace period the key expires immediately');
  });

  test('each change adds one audit row with its actor, kind and key', async () => {
    const { record } = await gateway.addKey();
    for (const [method, tail, kind] of [
      ['PUT', '/toggle', 'key_disabled'],
      ['PUT', '/toggle', 'key_enabled'],
      ['GET', '/reveal', 'key_revealed'],
      ['POST', '/rotate', 'key_rotated'],
      ['DELETE', '', 'key_deleted'],
    ] as const) {
      const done = await ask(method, `${record.id}${tail}`);
      assert.ok(done.status < 300, `${method} ${tail}: ${done.text}`);
      const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 1 });
      assert.equal(rows[0]?.kind, kind);
      assert.equal(rows[0]?.subject, record.id);
      assert.match(rows[0]?.actor ?? '', /^key_/);
    }
  });

  test('a viewer changes no key, and a device’s credential is not among the keys', async () => {
    const owner = await addAccount(gateway, { plan: 'enterprise' });
    const viewer = await addMember(gateway, owner, 'viewer');
    const [ownKey] = await gateway.storage.keys.list(owner.organizationId);
    for (const [method, tail] of [
      ['PUT', '/toggle'],
      ['GET', '/reveal'],
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const) {
      const refused = await ask(method, `${ownKey?.id}${tail}`, viewer.key);
      assert.equal(refused.error['code'], 'insufficient_role', `${method} ${tail}`);
    }
    await addDeviceOf(gateway, owner);
    const [device] = (await gateway.storage.keys.list(owner.organizationId, { devices: true })).filter(
      (key) => key.deviceId !== null,
    );
    assert.equal((await ask('GET', `${device?.id}/reveal`, owner.key)).status, 404);
    const listed = await gateway.call('GET', '/api/v1/api-keys', { key: owner.key });
    assert.ok(!(await listed.text()).includes(device?.id as string));
  });
});
