import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { StorageError } from '../../apps/cloud/src/storage/storage-error.ts';
import { assertEmpty, createTestEnv, NOON, onEveryEngine, type TestEnv } from './storage-engines.ts';

onEveryEngine('Policies, enrollments and devices', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  before(async () => {
    storage = await engine.open();
    testEnv = await createTestEnv(storage);
  });

  test('versions of a policy are stored once, for one organization, and deleted with the policy', async () => {
    const { organizationId } = testEnv;
    const [policy] = await storage.policies.insertMany(organizationId, null, [
      { name: 'versions', action: 'block', threatTypes: ['jailbreak'], priority: 1 },
    ]);
    const { id } = policy!;
    const version = (number: number, name: string) =>
      storage.policies.saveVersion(organizationId, {
        ...{ policyId: id, version: number, changedBy: null, atMs: NOON },
        policy: { name, action: 'block' },
      });
    await version(1, 'one');
    await version(2, 'two');
    await version(2, 'again');
    const list = async (organization: string) =>
      (await storage.policies.listVersions(organization, id)).map(({ policy: { name } }) => name);
    assert.deepEqual(await list(organizationId), ['two', 'one']);
    assert.deepEqual(await list('org_none'), []);
    await storage.policies.remove(organizationId, id);
    assert.deepEqual(await list(organizationId), []);
  });

  test("lists a project's own and the organization's active policies, highest priority first", async () => {
    const { organizationId, projectId } = testEnv;
    const other = await storage.projects.insert(organizationId, { name: 'other' });
    const policy = (name: string, priority: number, isActive = true) =>
      ({ name, action: 'block', threatTypes: ['jailbreak', 'pii_leak'], priority, isActive }) as const;
    await storage.policies.insertMany(organizationId, projectId, [
      policy('low', 1),
      policy('off', 99, false),
    ]);
    await storage.policies.insertMany(organizationId, null, [policy('global', 50)]);
    await storage.policies.insertMany(organizationId, other.id, [
      { ...policy('foreign', 70), fromPreset: true },
    ]);
    assert.deepEqual(await storage.policies.insertMany(organizationId, null, []), []);
    const active = await storage.policies.listActive(organizationId, projectId);
    assert.deepEqual(
      active.map(({ name }) => name),
      ['global', 'low'],
    );
    assert.deepEqual(active[0]?.threatTypes, ['jailbreak', 'pii_leak']);
    assert.deepEqual(
      (await storage.policies.listActive(organizationId, null)).map(({ name }) => name),
      ['global'],
    );
    assert.deepEqual(await storage.policies.listActive('org_none', projectId), []);
    const all = await storage.policies.list(organizationId);
    assert.deepEqual(
      all.map(({ name, fromPreset }) => [name, fromPreset]),
      [
        ['off', false],
        ['foreign', true],
        ['global', false],
        ['low', false],
      ],
    );
    const { id } = all[0]!;
    const changed = await storage.policies.update(organizationId, id, { isActive: true, action: 'monitor' });
    assert.deepEqual([changed.isActive, changed.action, changed.priority], [true, 'monitor', 99]);
    await assert.rejects(storage.policies.update('org_none', id, { name: 'x' }), StorageError);
    // Of two that change the same version, the second is a conflict and changes nothing.
    const next = await storage.policies.update(organizationId, id, { name: 'first' }, changed.version);
    assert.equal(next.version, changed.version + 1);
    await assert.rejects(
      storage.policies.update(organizationId, id, { name: 'second' }, changed.version),
      (error) => error instanceof StorageError && error.code === 'conflict',
    );
    assert.equal((await storage.policies.get(organizationId, id))?.name, 'first');
    assert.equal(await storage.policies.remove('org_none', id), false);
    assert.equal(await storage.policies.remove(organizationId, id), true);
    assert.equal(await storage.policies.get(organizationId, id), null);
  });

  test('an enrollment token can be used exactly as often as allowed, by however many concurrent requests', async () => {
    const { token, enrollment } = await storage.enrollments.create(testEnv.organizationId, {
      uses: 5,
      label: 'Lab',
    });
    assert.match(token, /^svc_enroll_[0-9A-Za-z]{40}$/);
    const spent = await Promise.all(
      Array.from({ length: 20 }, () => storage.enrollments.spend(token, 'linux', NOON)),
    );
    assert.equal(spent.filter((one) => one !== null).length, 5);
    const [listed] = await storage.enrollments.list(testEnv.organizationId);
    assert.deepEqual(listed, { ...enrollment, usesLeft: 0 });
  });

  test('rejects a token that is for another platform, expired, revoked or unknown', async () => {
    const { organizationId } = testEnv;
    const mac = await storage.enrollments.create(organizationId, {
      platform: 'macos',
      expiresAtMs: NOON + 1,
    });
    assert.equal(await storage.enrollments.spend(mac.token, 'linux', NOON), null);
    assert.equal(await storage.enrollments.spend(mac.token, 'macos', NOON + 1), null);
    assert.equal((await storage.enrollments.spend(mac.token, 'macos', NOON))?.usesLeft, 0);
    const revoked = await storage.enrollments.create(organizationId, {});
    assert.equal(await storage.enrollments.revoke('org_none', revoked.enrollment.id), false);
    assert.equal(await storage.enrollments.revoke(organizationId, revoked.enrollment.id), true);
    assert.equal(await storage.enrollments.revoke(organizationId, revoked.enrollment.id), false);
    assert.equal(await storage.enrollments.spend(revoked.token, 'linux', NOON), null);
    assert.equal(await storage.enrollments.spend('svc_enroll_made_up', 'linux', NOON), null);
  });

  test('a failed enrollment returns the use', async () => {
    const { token } = await storage.enrollments.create(testEnv.organizationId, {});
    await assert.rejects(
      storage.transaction(async (s) => {
        assert.notEqual(await s.enrollments.spend(token, 'linux', NOON), null);
        throw new Error('no device');
      }),
    );
    assert.notEqual(await storage.enrollments.spend(token, 'linux', NOON), null);
  });

  test('a heartbeat is stored; a revoked device loses its credential', async () => {
    const { organizationId, projectId } = testEnv;
    const device = await storage.devices.insert(organizationId, {
      projectId,
      name: 'Laptop',
      platform: 'windows',
      coverage: 'extension',
      endUserLabel: 'desk 4',
    });
    const heartbeat = {
      agentVersion: '1.2.3',
      proxyRestarts: 2,
      supervisorState: 'retrying',
      needsAdministrator: ['bank.example'],
      atMs: NOON,
    } as const;
    const seen = await storage.devices.recordHeartbeat(organizationId, device.id, heartbeat);
    assert.deepEqual(seen, {
      ...device,
      agentVersion: '1.2.3',
      proxyRestarts: 2,
      supervisorState: 'retrying',
      needsAdministrator: ['bank.example'],
      lastSeenAtMs: NOON,
    });
    assert.equal(await storage.devices.recordHeartbeat('org_none', device.id, heartbeat), null);
    const key = makeKey();
    await storage.keys.insert({
      organizationId,
      projectId,
      userId: null,
      deviceId: device.id,
      name: 'Laptop',
      permissions: ['scan'],
      expiresAtMs: null,
      key,
    });
    assert.equal((await storage.keys.findForAuth(key))?.deviceId, device.id);
    assert.equal(await storage.devices.revoke('org_none', device.id), false);
    assert.equal(await storage.devices.revoke(organizationId, device.id), true);
    assert.equal(await storage.devices.revoke(organizationId, device.id), false);
    assert.equal(await storage.keys.findForAuth(key), null);
    assert.equal((await storage.devices.get(organizationId, device.id))?.revokedAtMs, NOON);
    assert.equal((await storage.devices.list(organizationId)).length, 1);
  });

  test('removing a member revokes the devices assigned to them, but not labelled ones', async () => {
    const { organizationId } = testEnv;
    const guest = await createTestEnv(storage);
    const bound = await storage.devices.insert(organizationId, {
      name: 'A',
      platform: 'linux',
      userId: guest.userId,
    });
    const labelled = await storage.devices.insert(organizationId, {
      name: 'B',
      platform: 'linux',
      endUserLabel: 'x',
    });
    assert.deepEqual(await storage.devices.revokeByMember(organizationId, guest.userId), [bound.id]);
    assert.deepEqual(await storage.devices.revokeByMember(organizationId, guest.userId), []);
    assert.equal((await storage.devices.get(organizationId, labelled.id))?.revokedAtMs, null);
  });

  test('missing ids return null or do nothing: devices, enrollments, policies', async () => {
    const { devices, enrollments, policies } = storage;
    await assertEmpty({
      device: devices.get('org_none', 'dev_none'),
      assigned: devices.assign('org_none', 'dev_none', null),
      revoked: devices.revoke('org_none', 'dev_none'),
      heartbeat: devices.recordHeartbeat('org_none', 'dev_none', {
        ...{ agentVersion: '1', proxyRestarts: 0, supervisorState: 'quiet', atMs: NOON },
      }),
      'of a member': devices.revokeByMember('org_none', 'usr_none'),
      enrollment: enrollments.spend('token', 'macos', NOON),
      'enrollment revoked': enrollments.revoke('org_none', 'enr_none'),
      policy: policies.get('org_none', 'pol_none'),
      'policy removed': policies.remove('org_none', 'pol_none'),
      'no policies': policies.insertMany('org_none', null, []),
    });
  });

  test('a policy keeps its rules until they are replaced', async () => {
    const { organizationId } = testEnv;
    const rules = { allowed_values: ['4111 1111 1111 1111'] };
    const [made] = await storage.policies.insertMany(organizationId, null, [
      { name: 'ruled', action: 'block', threatTypes: ['pii_leak'], priority: 1, rules },
    ]);
    const { id } = made!;
    const read = async () => (await storage.policies.get(organizationId, id))?.rules;
    assert.deepEqual([made?.rules, await read()], [rules, rules]);
    await storage.policies.update(organizationId, id, { name: 'renamed' });
    assert.deepEqual(await read(), rules);
    await storage.policies.update(organizationId, id, { rules: {} });
    assert.deepEqual(await read(), {});
    await storage.policies.remove(organizationId, id);
  });
});
