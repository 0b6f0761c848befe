import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decideRequest } from '../../../apps/cloud/src/flows/approvals/decide-request.ts';
import { changeFleetSettings, revokeDevice } from '../../../apps/cloud/src/flows/devices/manage-devices.ts';
import { SYSTEM_CLOCK } from '../../../apps/cloud/src/gateway/configured-parts.ts';
import type { Storage } from '../../../apps/cloud/src/storage/storage.ts';
import { type Json, readAnswer } from '../../support/answers.ts';
import { createTestDatabase, noPostgres, type TestDatabase } from '../../support/databases.ts';
import { openDeviceSocket, rawRequest, UPGRADE } from '../../support/device-socket.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const HEARTBEAT = { type: 'heartbeat', agent_version: '1.0.0', proxy_restarts: 0, supervisor_state: 'quiet' };

async function enroll(gateway: TestGateway): Promise<{ key: string; id: string }> {
  const key = await gateway.addDevice();
  const { organizationId } = gateway.account;
  const id = (await gateway.storage.keys.findForAuth(key))?.deviceId;
  assert.ok(id, organizationId);
  return { key, id };
}

describe("a device's live channel", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  test('gives a client that may not listen an ordinary response', async () => {
    const refused = async (path: string, key: string | null) => {
      const headers = key === null ? [] : [`X-API-Key: ${key}`];
      const text = await rawRequest(gateway.address, [`GET ${path} HTTP/1.1`, ...UPGRADE, ...headers]);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      return [head.split('\r\n')[0], (JSON.parse(body) as { error: { code: string } }).error.code];
    };
    for (const path of ['/api/v1/devices/channel', '/api/v1/proxy/devices/channel?x=1']) {
      assert.deepEqual(await refused(path, null), ['HTTP/1.1 401 Unauthorized', 'missing_api_key']);
      assert.deepEqual(await refused(path, 'svc_live_x'), ['HTTP/1.1 401 Unauthorized', 'invalid_api_key']);
      assert.deepEqual(await refused(path, gateway.key), ['HTTP/1.1 403 Forbidden', 'insufficient_scope']);
    }
  });

  test('is not opened by an Upgrade header on another route', async () => {
    const body = '{"content":"hello"}';
    const text = await rawRequest(
      gateway.address,
      [
        'POST /api/v1/security/scan HTTP/1.1',
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAEAAEAAAAIAAAAB',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `X-API-Key: ${gateway.key}`,
      ],
      body,
    );
    assert.match(text, /^HTTP\/1\.1 200 OK/);
    assert.match(text, /"decision":"allow"/);
  });

  test('accepts a heartbeat, and answers it if the configuration is another one', async () => {
    const { key, id } = await enroll(gateway);
    const device = await openDeviceSocket(gateway.address, key, '/api/v1/proxy/devices/channel');
    device.say({ type: 'something new', x: 1 });
    device.say({ ...HEARTBEAT, proxy_restarts: 4, policy_version: null });
    const { policy_version } = await device.next('config-changed');
    const config = await readAnswer(gateway.call('GET', '/api/v1/devices/config', { key }));
    assert.equal(policy_version, config.body['policy_version']);
    const seen = await gateway.storage.devices.get(gateway.account.organizationId, id);
    assert.equal(seen?.proxyRestarts, 4);
    device.socket.close();
    assert.equal((await device.closed).code, 1005);
  });

  for (const [what, message, code] of [
    ['bytes', new Uint8Array([1, 2]), 1003],
    ['no JSON', 'hello', 1007],
    ['no object', '[1]', 1007],
    ['an invalid heartbeat', { ...HEARTBEAT, supervisor_state: 'fine' }, 1008],
    ['a message that is too large', 'x'.repeat(20_000), 1009],
  ] as const) {
    test(`${what}: the channel is closed with ${code}`, async () => {
      const device = await openDeviceSocket(gateway.address, (await enroll(gateway)).key);
      device.say(message);
      assert.equal((await device.closed).code, code);
    });
  }

  test('closes on a device that sends too much', async () => {
    const device = await openDeviceSocket(gateway.address, (await enroll(gateway)).key);
    for (let i = 0; i < 130; i++) device.say({ type: 'noise' });
    assert.equal((await device.closed).code, 4008);
  });

  test('is replaced by a newer channel of the same device', async () => {
    const { key } = await enroll(gateway);
    const older = await openDeviceSocket(gateway.address, key);
    const newer = await openDeviceSocket(gateway.address, key);
    assert.deepEqual(await older.closed, { code: 4002, reason: 'replaced' });
    newer.say(HEARTBEAT);
    await newer.next('config-changed');
    newer.socket.close();
  });
});

test('a device that answers no ping is disconnected, and one that does stays connected', async (t) => {
  const gateway = await startGateway({ isOwn: true, env: { CHANNEL_PING_MS: '50' } });
  const keys = [await gateway.addDevice(), await gateway.addDevice()] as const;
  t.mock.timers.enable({ apis: ['setInterval'] });
  const device = await openDeviceSocket(gateway.address, keys[0]);
  // This one never reads a frame: the connection ends because the service ends it.
  let text = '';
  const silent = rawRequest(gateway.address, [
    'GET /api/v1/devices/channel HTTP/1.1',
    ...UPGRADE,
    `X-API-Key: ${keys[1]}`,
  ]).then((received) => {
    text = received;
  });
  const ping = async () => {
    t.mock.timers.tick(50);
    // The answer to the ping arrives before that of a later request.
    for (let n = 0; n < 2; n++) await gateway.call('GET', '/health', { key: null });
    return text;
  };
  await until(ping, (received) => received !== '');
  await silent;
  for (let n = 0; n < 2; n++) await ping();
  assert.match(text, /^HTTP\/1\.1 101 /);
  assert.equal(device.socket.readyState, WebSocket.OPEN);
  await gateway.close();
  assert.equal((await device.closed).code, 1001, 'a service that stops closes its channels');
});

interface Engine {
  readonly name: string;
  readonly skip: string | false;
  open(): Promise<TestDatabase | null>;
}

const ENGINES: readonly Engine[] = [
  { name: 'SQLite', skip: false, open: async () => null },
  { name: 'PostgreSQL', skip: noPostgres, open: () => createTestDatabase() },
];

for (const engine of ENGINES) {
  describe(`a decision of another instance, on ${engine.name}`, { skip: engine.skip }, () => {
    let database: TestDatabase | null;
    let here: TestGateway;
    let there: TestGateway;
    let storage: Storage;
    before(async () => {
      database = await engine.open();
      const dataDir = tempFolder('two-instances');
      const env: Record<string, string> = database === null ? {} : { DATABASE_URL: database.databaseUrl };
      here = await startGateway({ env, dataDir });
      there = await startGateway({ env, dataDir });
      storage = there.storage;
    });
    after(async () => {
      await there.close();
      await here.close();
      await database?.drop();
    });

    const admin = () => ({ organizationId: here.account.organizationId, id: 'operator', userId: null });
    const post = async (path: string, key: string, body: object): Promise<Json> =>
      (await readAnswer(here.call('POST', `/api/v1${path}`, { key, body }))).body;

    test('reaches the device, and only that device', async () => {
      const { key } = await enroll(here);
      const device = await openDeviceSocket(here.address, key);
      const bystander = await openDeviceSocket(here.address, (await enroll(here)).key);
      for (const one of [device, bystander]) {
        one.say(HEARTBEAT);
        await one.next('config-changed');
        one.messages.length = 0;
      }
      const exception = await post('/exceptions', key, {
        destination_host: 'chatgpt.com',
        requested_minutes: 5,
      });
      await decideRequest({ storage }, admin(), { id: exception['id'] as string }, { approve: true });
      await device.next('config-changed');
      const message = await device.next('exception-decided');
      const record = message['exception'] as Json;
      assert.deepEqual([record['id'], record['status']], [exception['id'], 'approved']);

      const request = await post('/tool-requests', key, { requested_host: 'grok.com' });
      await decideRequest({ storage }, admin(), { id: request['id'] as string }, { approve: false });
      const decided = await device.next('tool-request-decided');
      assert.equal((decided['tool_request'] as Json)['status'], 'denied');

      await changeFleetSettings({ storage, clock: SYSTEM_CLOCK }, admin(), { bypassHosts: ['claude.ai'] });
      await bystander.next('config-changed');
      assert.deepEqual(
        bystander.messages.map((message) => message['type']),
        ['config-changed'],
      );
      const types = device.messages.map((message) => message['type']);
      assert.equal(types.filter((type) => type === 'exception-decided').length, 1, 'sent once');
      for (const one of [device, bystander]) one.socket.close();
    });

    test('reaches a device that was not connected at the time', async () => {
      const { key } = await enroll(here);
      const exception = await post('/exceptions', key, { destination_host: 'chatgpt.com' });
      await decideRequest({ storage }, admin(), { id: exception['id'] as string }, { approve: false });
      const device = await openDeviceSocket(here.address, key);
      const message = await device.next('exception-decided');
      assert.equal((message['exception'] as Json)['status'], 'denied');
      device.socket.close();
    });

    test('that revokes a device notifies it, closes its channel and ends its credential', async () => {
      const { key, id } = await enroll(here);
      const device = await openDeviceSocket(here.address, key);
      assert.equal((await here.call('GET', '/api/v1/devices/config', { key })).status, 200);
      await revokeDevice({ storage, clock: SYSTEM_CLOCK }, admin(), id);
      await device.next('revoked');
      assert.deepEqual(await device.closed, { code: 4001, reason: 'revoked' });
      assert.equal((await here.call('GET', '/api/v1/devices/config', { key })).status, 401);
      await assert.rejects(openDeviceSocket(here.address, key), /refused/);
    });
  });
}
