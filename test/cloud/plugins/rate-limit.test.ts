import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addAccount, addDeviceOf, addKeyOf, addMember, addOrganization } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const MINUTE = 60_000;

describe('limits per minute', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());
  beforeEach(() => clock.set((Math.floor(clock.now() / MINUTE) + 1) * MINUTE));

  const scan = (key: string) =>
    readAnswer(gateway.call('POST', '/api/v1/security/scan', { key, body: { content: 'hello' } }));
  const remaining = async (key: string) => (await scan(key)).headers.get('x-ratelimit-remaining');

  test('apply to an account: all keys of its organizations, teammates’ keys too, share one minute', async () => {
    const owner = await addAccount(gateway, { plan: 'pro', perMinute: 6 });
    const second = await addKeyOf(gateway, owner, owner.accountId);
    const team = await addOrganization(gateway, owner.accountId);
    const mate = await addMember(gateway, team, 'member');
    const left = [];
    for (const key of [owner.key, second, team.key, mate.key, owner.key, mate.key])
      left.push(await remaining(key));
    assert.deepEqual(left, ['5', '4', '3', '2', '1', '0']);
    for (const key of [owner.key, second, team.key, mate.key]) {
      const refused = await scan(key);
      assert.equal(refused.status, 429);
      assert.equal(refused.error['code'], 'rate_limit_exceeded');
      assert.equal(refused.error['type'], 'rate_limit_exceeded');
      assert.equal(refused.error['retry_after'], 60);
      assert.equal(refused.headers.get('retry-after'), '60');
    }
    // The teammate's own organization is their own account.
    await gateway.storage.subscriptions.set(mate.userId, { plan: 'free' });
    const own = await addOrganization(gateway, mate.userId);
    assert.equal(await remaining(own.key), '59');
  });

  test('are shown in every response, and reset at the start of the next minute', async () => {
    const account = await addAccount(gateway, { plan: 'free', perMinute: 2 });
    const startS = clock.now() / 1000;
    clock.advance(10_250);
    const first = await gateway.call('GET', '/api/v1/projects', { key: account.key });
    assert.equal(first.headers.get('x-ratelimit-limit'), '2');
    assert.equal(first.headers.get('x-ratelimit-remaining'), '1');
    assert.equal(first.headers.get('x-ratelimit-reset'), String(startS + 60));
    await scan(account.key);
    clock.set((startS + 60) * 1000 - 1);
    const refused = await scan(account.key);
    assert.equal(refused.status, 429);
    assert.equal(refused.error['retry_after'], 1);
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0');
    clock.set((startS + 60) * 1000);
    const next = await scan(account.key);
    assert.equal(next.status, 200, 'the whole limit is back immediately');
    assert.equal(next.headers.get('x-ratelimit-remaining'), '1');
    assert.equal(next.headers.get('x-ratelimit-reset'), String(startS + 120));
  });

  test('follow the plan, or the contract if it has a number', async () => {
    const limits = { free: '60', pro: '300', scale: '600', enterprise: '1000' } as const;
    for (const [plan, limit] of Object.entries(limits)) {
      const account = await addAccount(gateway, { plan: plan as keyof typeof limits });
      assert.equal((await scan(account.key)).headers.get('x-ratelimit-limit'), limit);
    }
    const contract = await addAccount(gateway, { plan: 'enterprise', perMinute: 4321 });
    assert.equal((await scan(contract.key)).headers.get('x-ratelimit-limit'), '4321');
  });

  test('neither count nor reject devices', async () => {
    const account = await addAccount(gateway, { plan: 'free', perMinute: 2 });
    const device = await addDeviceOf(gateway, account);
    for (let n = 0; n < 5; n++) assert.equal((await scan(device)).status, 200);
    assert.equal(await remaining(account.key), '1', 'the device took nothing of the minute');
    await scan(account.key);
    assert.equal((await scan(account.key)).status, 429);
    assert.equal((await scan(device)).status, 200, 'a used-up minute does not stop the device');
  });

  test('ignore a wrong key; a call out of scope counts and shows the limit', async () => {
    const account = await addAccount(gateway, { plan: 'free', perMinute: 3 });
    const device = await addDeviceOf(gateway, account);
    assert.equal((await scan('svc_live_unknown')).status, 401);
    assert.equal(await remaining(account.key), '2');
    assert.equal((await gateway.call('GET', '/api/v1/projects', { key: device })).status, 403);
    assert.equal(await remaining(account.key), '1', 'a device takes nothing, rejected or not');
    const { plain } = await gateway.addKey({ permissions: ['usage'] });
    const before = Number(await remaining(gateway.key));
    const refused = await scan(plain);
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.get('x-ratelimit-remaining'), String(before - 1));
  });

  test('end exactly at the limit when requests race', async () => {
    const account = await addAccount(gateway, { plan: 'free', perMinute: 15 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => scan(account.key)));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 15);
    assert.equal(answers.filter((answer) => answer.status === 429).length, 25);
  });
});

describe('the limit per address', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock, env: { EDGE_LIMIT_PER_MINUTE: '5', TRUST_PROXY: 'on' } });
  });
  after(() => gateway.close());
  beforeEach(() => clock.set((Math.floor(clock.now() / MINUTE) + 1) * MINUTE));

  const from = (address: string, path = '/api/v1/projects', key: string | null = gateway.key) =>
    readAnswer(gateway.call('GET', path, { key, headers: { 'x-forwarded-for': address } }));

  test('counts each address on its own, whatever it requests and with whatever key', async () => {
    await from('192.0.2.1');
    await from('192.0.2.1', '/api/v1/projects', 'svc_live_wrong');
    await from('192.0.2.1', '/nowhere', null);
    await from('192.0.2.1', '/docs', null);
    assert.equal((await from('192.0.2.1')).status, 200);
    const refused = await from('192.0.2.1');
    assert.equal(refused.status, 429);
    assert.equal(refused.error['code'], 'rate_limit_exceeded');
    assert.equal(refused.headers.get('retry-after'), String(refused.error['retry_after']));
    assert.equal(refused.headers.get('x-service-decision'), 'allow');
    assert.equal((await from('192.0.2.2')).status, 200);
    clock.advance(MINUTE);
    assert.equal((await from('192.0.2.1')).status, 200);
  });

  test('ignores what a client itself writes into X-Forwarded-For', async () => {
    const statuses = [];
    for (let n = 0; n < 7; n++) statuses.push((await from(`203.0.113.${n}, 192.0.2.8`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
  });

  test('"`/version` returns an empty constant body, always 200": it is not counted, nor are `/` and `/health`', async () => {
    for (const path of ['/', '/version', '/health'])
      for (let n = 0; n < 12; n++) assert.equal((await from('192.0.2.4', path, null)).status, 200, path);
    assert.equal((await from('192.0.2.4')).status, 200);
  });

  test('counts an IPv6 network of 64 bits as one address', async () => {
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push((await from(`2001:db8:1:2:${n}::${n}`)).status);
    assert.equal(statuses[0], 200);
    assert.equal(statuses.at(-1), 429);
    assert.equal((await from('2001:db8:1:3::1')).status, 200);
  });

  test('leaves the headers to the account’s limit', async () => {
    assert.equal((await from('192.0.2.3')).headers.get('x-ratelimit-limit'), '1000');
  });
});
