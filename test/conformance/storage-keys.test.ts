import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { ownEndpointId } from '@csg/shared/contract';
import { randomBase62, toBase62 } from '../../apps/cloud/src/storage/ids.ts';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import type { Keys, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { createTestEnv, NOON, onEveryEngine, type TestEnv } from './storage-engines.ts';

onEveryEngine('Keys', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  before(async () => {
    storage = await engine.open();
    testEnv = await createTestEnv(storage);
  });
  const insert = (change: Partial<Parameters<Keys['insert']>[0]> = {}) =>
    storage.keys.insert({
      organizationId: testEnv.organizationId,
      projectId: testEnv.projectId,
      userId: testEnv.userId,
      deviceId: null,
      name: 'k',
      permissions: [],
      expiresAtMs: null,
      key: makeKey(),
      ...change,
    });

  test("one query returns everything about a key's caller", async () => {
    await storage.subscriptions.set(testEnv.userId, {
      plan: 'enterprise',
      perMinute: 5000,
      monthly: 7,
      spendCapUsd: 1.5,
    });
    assert.deepEqual(await storage.keys.findForAuth(testEnv.plainKey), {
      id: testEnv.keyId,
      name: 'first key',
      organizationId: testEnv.organizationId,
      organizationKind: 'personal',
      organizationName: 'Own',
      projectId: testEnv.projectId,
      projectName: 'First',
      userId: testEnv.userId,
      deviceId: null,
      deviceRevokedAtMs: null,
      permissions: ['scan', 'proxy'],
      limits: { allowedModels: [], dailyTokenLimit: null },
      isActive: true,
      expiresAtMs: null,
      failMode: 'open',
      useCase: 'default',
      strictnessLevel: 'moderate',
      zeroRetention: false,
      webhooks: [],
      policyWebhook: null,
      settings: {},
      allowedIps: [],
      accountId: testEnv.userId,
      accountEmailVerifiedAtMs: null,
      subscriptionStatus: 'active',
      plan: 'enterprise',
      perMinute: 5000,
      monthly: 7,
      spendCapUsd: 1.5,
      onDemand: true,
    });
  });

  test('that query includes the settings of a key, its project and its organization', async () => {
    const own = await createTestEnv(storage);
    const look = async () => (await storage.keys.findForAuth(own.plainKey))!;
    const { organizationId, projectId, keyId } = own;
    const limits = { allowedModels: ['model-1'], dailyTokenLimit: 5 };
    const none = { allowedModels: [], dailyTokenLimit: null };
    for (const one of [limits, none]) {
      assert.partialDeepStrictEqual(await storage.keys.setLimits(organizationId, keyId, one), one);
      assert.deepEqual((await look()).limits, one);
    }
    await storage.organizations.setAllowedIps(organizationId, ['192.0.2.0/24']);
    await storage.subscriptions.set(own.userId, { onDemand: false });
    assert.deepEqual(
      [(await look()).limits, (await look()).allowedIps, (await look()).onDemand],
      [none, ['192.0.2.0/24'], false],
    );
    const update = (change: Parameters<Storage['projects']['update']>[2]) =>
      storage.projects.update(organizationId, projectId, change);
    const policyWebhook = {
      url: 'https://a.example',
      isEnabled: true,
      failMode: 'open',
      timeoutMs: 9,
    } as const;
    await update({ zeroRetention: true, failMode: 'closed' });
    const { endpoints } = storage;
    const putPolicy = (change: Partial<typeof policyWebhook> | { readonly isEnabled: boolean }) =>
      endpoints.put(organizationId, 'policy', projectId, change);
    const { id } = await putPolicy(policyWebhook);
    const changed = await look();
    const { isEnabled: _, ...called } = policyWebhook;
    assert.deepEqual(
      [changed.zeroRetention, changed.failMode, changed.policyWebhook],
      [true, 'closed', { id, ...called }],
    );
    assert.deepEqual(await endpoints.ofProject(projectId), {
      ...{ webhooks: [], policyWebhook: changed.policyWebhook },
    });
    await endpoints.pause(organizationId, id, true);
    assert.equal((await look()).policyWebhook, null);
    await endpoints.pause(organizationId, id, false);
    await putPolicy({ isEnabled: false });
    assert.equal((await look()).policyWebhook, null);
    const first = ownEndpointId('webhook', projectId);
    const putFirst = (change: object) => endpoints.put(organizationId, 'webhook', projectId, change);
    for (const [change, webhooks] of [
      [{ url: 'https://b.example' }, []],
      [{ isEnabled: true }, [{ id: first, events: null }]],
      [{ events: ['threat.blocked'] }, [{ id: first, events: ['threat.blocked'] }]],
      [{ url: null }, []],
    ] as const) {
      await putFirst(change);
      assert.deepEqual((await look()).webhooks, webhooks, JSON.stringify(change));
    }
    const input = { url: 'https://c.example', isEnabled: true, events: null, secret: null };
    const added = await endpoints.insert(organizationId, 'webhook', { ...input, projectId });
    await putFirst({ url: 'https://b.example' });
    assert.deepEqual(
      new Map((await look()).webhooks.map((one) => [one.id, one.events])),
      new Map([
        [first, ['threat.blocked']],
        [added.id, null],
      ]),
    );
    const off = await endpoints.update(organizationId, 'webhook', added.id, { isEnabled: false });
    assert.deepEqual([off?.isEnabled, off?.url, off?.secretAtMs], [false, input.url, null]);
    assert.equal((await look()).webhooks.length, 1);
  });

  test('a key without project and an account without subscription get the defaults', async () => {
    const owner = await storage.users.insert({ email: 'bare@example.com' });
    const organization = await storage.organizations.insert({ kind: 'team', name: 'T', ownerId: owner.id });
    const key = makeKey();
    await insert({ organizationId: organization.id, projectId: null, userId: null, key });
    const facts = await storage.keys.findForAuth(key);
    assert.deepEqual(
      [facts?.projectId, facts?.failMode, facts?.useCase, facts?.strictnessLevel, facts?.zeroRetention],
      [null, 'open', 'default', 'moderate', false],
    );
    assert.deepEqual([facts?.subscriptionStatus, facts?.plan, facts?.accountId], ['none', 'free', owner.id]);
  });

  test('disabled and expired keys are returned with their state; deleted, unknown and mistyped ones are null', async () => {
    const key = makeKey();
    const { id } = await insert({ key, expiresAtMs: NOON - 1 });
    assert.equal((await storage.keys.findForAuth(key))?.expiresAtMs, NOON - 1);
    assert.equal((await storage.keys.toggle(testEnv.organizationId, id))?.isActive, false);
    assert.equal((await storage.keys.findForAuth(key))?.isActive, false);
    assert.equal((await storage.keys.setActive(testEnv.organizationId, id, true))?.isActive, true);
    assert.equal((await storage.keys.setExpiry(testEnv.organizationId, id, null))?.expiresAtMs, null);
    assert.equal(await storage.keys.remove('org_none', id), false);
    assert.equal(await storage.keys.remove(testEnv.organizationId, id), true);
    assert.equal(await storage.keys.remove(testEnv.organizationId, id), false);
    assert.equal(await storage.keys.findForAuth(key), null);
    assert.equal(await storage.keys.get(testEnv.organizationId, id), null);
    assert.equal(await storage.keys.toggle(testEnv.organizationId, id), null);
    for (const unknown of [makeKey(), '', 'svc_live_', 'sk-proj-1234', `${testEnv.plainKey}x`]) {
      assert.equal(await storage.keys.findForAuth(unknown), null, unknown);
    }
  });

  test('the time to reject a wrong key does not reveal how much of it was right', async () => {
    const known = testEnv.plainKey.slice(0, -38);
    const secret = testEnv.plainKey.slice(-38, -6);
    const signed = (body: string) => body + toBase62(crc32(body), 6);
    const guesses: Readonly<Record<string, () => string>> = {
      'nothing is right': makeKey,
      'the part that lists show': () => signed(known + randomBase62(32)),
      'all but its end': () => signed(known + secret.slice(0, 24) + randomBase62(8)),
    };
    /** CPU time of this process, the least of many turns: each query costs some, wherever the database runs. */
    const measure = async (): Promise<readonly number[]> => {
      const least = Object.values(guesses).map(() => Number.POSITIVE_INFINITY);
      for (let round = 0; round < 30; round++) {
        for (const [index, guess] of Object.values(guesses).entries()) {
          const keys = Array.from({ length: 20 }, guess);
          const before = process.cpuUsage();
          for (const key of keys) assert.equal(await storage.keys.findForAuth(key), null);
          const { user, system } = process.cpuUsage(before);
          least[index] = Math.min(least[index]!, user + system);
        }
      }
      return least;
    };
    // A lookup by prefix first would take one query more or less: twice as long, or half.
    let ratios: readonly number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const [unknown, ...others] = (await measure()) as [number, ...number[]];
      ratios = others.map((one) => one / unknown);
      if (ratios.every((ratio) => ratio > 0.75 && ratio < 1.33)) return;
    }
    assert.fail(`a wrong key takes ${ratios.join(' and ')} times as long if more of it is right`);
  });

  test('two concurrent toggles toggle twice', async () => {
    const { id } = await insert();
    await Promise.all(Array.from({ length: 10 }, () => storage.keys.toggle(testEnv.organizationId, id)));
    assert.equal((await storage.keys.get(testEnv.organizationId, id))?.isActive, true);
  });

  test('a key is revealed to its own organization only', async () => {
    const key = makeKey();
    const { id, prefix } = await insert({ key });
    assert.equal(prefix, key.slice(0, 17));
    assert.equal((await storage.keys.reveal(testEnv.organizationId, id))?.plain, key);
    assert.equal(await storage.keys.reveal('org_none', id), null);
  });

  test('the list is newest first, with project names and without device credentials', async () => {
    const clock = { ms: NOON };
    const later = await engine.open({ now: () => clock.ms++ });
    const own = await createTestEnv(later);
    const device = await later.devices.insert(own.organizationId, { name: 'Mac', platform: 'macos' });
    const base = {
      organizationId: own.organizationId,
      userId: own.userId,
      permissions: [],
      expiresAtMs: null,
    };
    const second = await later.keys.insert({
      ...base,
      projectId: null,
      deviceId: null,
      name: '2',
      key: makeKey(),
    });
    const third = await later.keys.insert({
      ...base,
      projectId: null,
      deviceId: device.id,
      name: '3',
      key: makeKey(),
    });
    const listed = await later.keys.list(own.organizationId);
    assert.deepEqual(
      listed.map(({ id, projectName }) => [id, projectName]),
      [
        [second.id, null],
        [own.keyId, 'First'],
      ],
    );
    assert.equal((await later.keys.list(own.organizationId, { devices: true }))[0]?.id, third.id);
    assert.equal((await later.keys.list(own.organizationId, { projectId: own.projectId })).length, 1);
    assert.deepEqual(await later.keys.list('org_none'), []);
  });

  test("a plan's allowance counts users' keys that have not expired", async () => {
    const project = await storage.projects.insert(testEnv.organizationId, { name: 'counted' });
    const device = await storage.devices.insert(testEnv.organizationId, { name: 'Mac', platform: 'macos' });
    await insert({ projectId: project.id });
    await insert({ projectId: project.id, expiresAtMs: NOON });
    await insert({ projectId: project.id, expiresAtMs: NOON + 1 });
    await insert({ projectId: project.id, deviceId: device.id });
    assert.equal(await storage.keys.countForProject(testEnv.organizationId, project.id, NOON), 2);
    const own = await createTestEnv(storage);
    await insert({ organizationId: own.organizationId, projectId: null, userId: own.userId });
    assert.equal(await storage.keys.countForProject(own.organizationId, null, NOON), 1);
    assert.equal(await storage.keys.countForAccount(own.userId, NOON), 2);
  });

  test('removing a member revokes their keys of that organization only', async () => {
    const owner = await createTestEnv(storage);
    const guest = await createTestEnv(storage);
    const key = makeKey();
    const made = await insert({
      organizationId: owner.organizationId,
      projectId: null,
      userId: guest.userId,
      key,
    });
    assert.deepEqual(await storage.keys.revokeByMember(owner.organizationId, guest.userId), [made.id]);
    assert.equal(await storage.keys.findForAuth(key), null);
    assert.notEqual(await storage.keys.findForAuth(guest.plainKey), null);
    assert.notEqual(await storage.keys.findForAuth(owner.plainKey), null);
  });

  test('the last use is written at most once a minute', async () => {
    const { id } = await insert();
    const lastUsed = async () => (await storage.keys.get(testEnv.organizationId, id))?.lastUsedAtMs;
    storage.keys.touchLastUsed(id, NOON);
    storage.keys.touchLastUsed(id, NOON + 59_000);
    await storage.flush();
    assert.equal(await lastUsed(), NOON);
    storage.keys.touchLastUsed(id, NOON + 60_000);
    await storage.flush();
    assert.equal(await lastUsed(), NOON + 60_000);
  });
});
