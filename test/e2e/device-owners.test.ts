import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signInAs } from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

interface ListedDevice {
  readonly id: string;
  readonly user_email: string | null;
  readonly state: string;
}

describe('devices and their owners', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const enroll = async (token: unknown): Promise<{ readonly id: string; readonly key: string }> => {
    const response = await fetch(`${gateway.address}/api/v1/enroll`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, device_name: 'Laptop', platform: 'linux' }),
    });
    const body = (await response.json()) as { device_id: string; api_key: string };
    assert.equal(response.status, 200, JSON.stringify(body));
    return { id: body.device_id, key: body.api_key };
  };
  const beat = async (key: string): Promise<number> => {
    const response = await fetch(`${gateway.address}/api/v1/devices/heartbeat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ agent_version: '1.0.0', proxy_restarts: 0, supervisor_state: 'quiet' }),
    });
    return response.status;
  };

  test('a member enrolls their own computer, which is revoked when they leave; a viewer may not', async () => {
    const admin = await signInAs(gateway, 'admin');
    const member = await signInAs(gateway, 'member');
    const viewer = await signInAs(gateway, 'viewer');
    const project = { project_id: gateway.account.projectId };
    assert.equal((await viewer.call('POST', '/own-enrollments', project)).error['code'], 'insufficient_role');
    assert.equal((await member.call('POST', '/enrollments', project)).error['code'], 'insufficient_role');
    const made = await member.call('POST', '/own-enrollments', project);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const device = await enroll(made.body['token']);
    const { body } = await admin.call<ListedDevice[]>('GET', '/devices');
    assert.equal(body.find(({ id }) => id === device.id)?.user_email, member.email);
    assert.equal(await beat(device.key), 200);
    assert.equal((await admin.call('DELETE', `/members/${member.userId}`)).status, 204);
    assert.equal(await beat(device.key), 401);
  });

  test('an admin enrolls for a member or assigns a device later; it is revoked when its owner leaves', async () => {
    const admin = await signInAs(gateway, 'admin');
    const member = await signInAs(gateway, 'member');
    const project = { project_id: gateway.account.projectId };
    const own = await admin.call('POST', '/enrollments', {
      ...project,
      user_email: member.email.toUpperCase(),
    });
    const bulk = await admin.call('POST', '/enrollments', { ...project, uses: 2 });
    const refused = await admin.call('POST', '/enrollments', {
      ...project,
      uses: 2,
      user_email: member.email,
    });
    assert.deepEqual([refused.status, refused.error['code']], [409, 'invalid_state']);
    const stranger = await admin.call('POST', '/enrollments', { ...project, user_email: 'no@example.com' });
    assert.equal(stranger.status, 404);
    const devices = [
      await enroll(own.body['token']),
      await enroll(bulk.body['token']),
      await enroll(bulk.body['token']),
    ];
    const [, second, third] = devices;
    const assign = (id: string, user_email: string) => admin.call('PATCH', `/devices/${id}`, { user_email });
    assert.equal((await assign(second!.id, member.email)).status, 204);
    assert.equal((await assign(third!.id, member.email)).status, 204);
    assert.equal((await assign(third!.id, '')).status, 204);
    assert.equal((await assign('dev_none', '')).status, 404);
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, {
      kind: 'device_assigned',
    });
    assert.deepEqual(rows[0]?.data, { was: member.userId, user_id: null });
    await admin.call('DELETE', `/members/${member.userId}`);
    assert.deepEqual(await Promise.all(devices.map(({ key }) => beat(key))), [401, 401, 200]);
    assert.equal((await assign(second!.id, admin.email)).error['code'], 'invalid_state', 'it is revoked');
  });

  test('devices revoked in one request stop working', async () => {
    const admin = await signInAs(gateway, 'admin');
    const bulk = await admin.call('POST', '/enrollments', { project_id: gateway.account.projectId, uses: 2 });
    const devices = [await enroll(bulk.body['token']), await enroll(bulk.body['token'])];
    const ids = devices.map(({ id }) => id).sort();
    const revoke = (device_ids: readonly string[]) => admin.call('POST', '/devices/revoke', { device_ids });
    assert.deepEqual((await revoke(ids)).body, { revoked: ids });
    assert.deepEqual(await Promise.all(devices.map(({ key }) => beat(key))), [401, 401]);
    assert.equal((await revoke([])).status, 422);
  });
});
