import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import {
  assignDevice,
  findMemberByEmail,
  revokeDevices,
} from '../../../../apps/cloud/src/flows/devices/device-owners.ts';
import {
  changeFleetSettings,
  createEnrollment,
  enrollmentState,
  listDevices,
  listEnrollments,
  revokeDevice,
  revokeEnrollment,
} from '../../../../apps/cloud/src/flows/devices/manage-devices.ts';
import { unenrollDevice } from '../../../../apps/cloud/src/flows/devices/unenroll-device.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof CodedError && error.code === expected && message.test(error.message);

async function openFleet(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, changes } = env;
  const { userId, email, organizationId } = await env.addPerson();
  const admin = { organizationId, id: userId, userId };
  const member = await env.addPerson();
  await storage.members.add(organizationId, member.userId, 'member');
  const asMember = { organizationId, id: member.userId, userId: member.userId };
  let forgotten = 0;
  const forgetKeys = () => {
    forgotten += 1;
  };
  const project = await storage.projects.insert(organizationId, { name: 'P' });
  const addDevice = (name: string) => storage.devices.insert(organizationId, { name, platform: 'linux' });
  const log = async () =>
    (await changes(organizationId)).map(({ kind, actor, subject, data }) => [kind, actor, subject, data]);
  return {
    ...{ ...env, deps: { ...env.deps, forgetKeys }, admin, email, member, asMember, organizationId },
    ...{ projectId: project.id, addDevice, log, forgotten: () => forgotten },
  };
}

test('an enrollment is recorded and starts with what was asked for', async (t) => {
  const { deps, clock, admin, projectId, log, addPerson, storage } = await openFleet(t);
  const plain = (await createEnrollment(deps, admin, { projectId: null })).enrollment;
  assert.deepEqual(
    [
      plain.projectId,
      plain.createdBy,
      plain.isBulk,
      plain.usesTotal,
      plain.platform,
      plain.expiresAtMs,
      plain.label,
    ],
    [null, admin.userId, false, 1, null, null, null],
  );
  const expiresAtMs = clock.now() + 5;
  const bulk = (
    await createEnrollment(deps, admin, { projectId, uses: 2, platform: 'macos', expiresAtMs, label: 'Lab' })
  ).enrollment;
  assert.deepEqual(
    [bulk.projectId, bulk.isBulk, bulk.usesTotal, bulk.platform, bulk.expiresAtMs, bulk.label],
    [projectId, true, 2, 'macos', expiresAtMs, 'Lab'],
  );
  assert.deepEqual(await log(), [
    ['enrollment_created', admin.id, plain.id, { uses: 1, expires_at_ms: null, platform: null }],
    ['enrollment_created', admin.id, bulk.id, { uses: 2, expires_at_ms: expiresAtMs, platform: 'macos' }],
  ]);
  const foreign = await storage.projects.insert((await addPerson()).organizationId, { name: 'F' });
  await assert.rejects(createEnrollment(deps, admin, { projectId: foreign.id }), code('not_found'));
  assert.equal((await log()).length, 2);
});

test('a member enrolls one computer of their own, and no more', async (t) => {
  const { deps, admin, asMember, member } = await openFleet(t);
  const own = { projectId: null, ownerId: member.userId };
  assert.equal((await createEnrollment(deps, asMember, own)).enrollment.createdBy, member.userId);
  assert.equal((await createEnrollment(deps, admin, own)).enrollment.createdBy, member.userId);
  for (const input of [
    { projectId: null },
    { ...own, uses: 2 },
    { projectId: null, ownerId: admin.userId },
  ]) {
    await assert.rejects(createEnrollment(deps, asMember, input), code('insufficient_role'));
  }
});

test('an enrollment is open until it is spent, expired or revoked', async (t) => {
  const { deps, storage, clock, admin, organizationId } = await openFleet(t);
  const create = (change: object = {}) => createEnrollment(deps, admin, { projectId: null, ...change });
  const open = await create();
  const spent = await create();
  await storage.enrollments.spend(spent.token, 'linux', clock.now());
  const expired = await create({ expiresAtMs: clock.now() });
  const later = await create({ expiresAtMs: clock.now() + 1 });
  const revoked = await create();
  await revokeEnrollment(deps, admin, revoked.enrollment.id);
  const states = new Map((await listEnrollments(deps, organizationId)).map(({ id, state }) => [id, state]));
  assert.deepEqual(
    [open, spent, expired, later, revoked].map(({ enrollment }) => states.get(enrollment.id)),
    ['open', 'spent', 'expired', 'open', 'revoked'],
  );
  const both = { ...spent.enrollment, usesLeft: 0, revokedAtMs: 1, expiresAtMs: 0 };
  assert.equal(enrollmentState(both, 5), 'revoked');
  assert.equal(enrollmentState({ ...both, revokedAtMs: null }, 5), 'spent');
});

test('an enrollment and a device are revoked once, by an admin, and what is unknown is said to be', async (t) => {
  const { deps, admin, asMember, organizationId, addDevice, log, forgotten } = await openFleet(t);
  const { enrollment } = await createEnrollment(deps, admin, { projectId: null });
  const device = await addDevice('One');
  await addDevice('Two');
  for (const [revoke, id, what] of [
    [revokeEnrollment, enrollment.id, 'enrollment'],
    [revokeDevice, device.id, 'device'],
  ] as const) {
    await assert.rejects(revoke(deps, asMember, id), code('insufficient_role'));
    await assert.rejects(
      revoke(deps, { ...admin, organizationId: 'org_none', userId: null }, id),
      code('not_found'),
    );
    await revoke(deps, admin, id);
    assert.deepEqual((await log()).at(-1), [`${what}_revoked`, admin.id, id, {}]);
    await assert.rejects(
      revoke(deps, admin, id),
      code('invalid_state', new RegExp(`This ${what} is already revoked`)),
    );
    await assert.rejects(revoke(deps, admin, 'none'), code('not_found', new RegExp(`No such ${what}`)));
  }
  assert.equal(forgotten(), 1, 'the keys of the device');
  assert.equal((await log()).length, 3);
  const states = (await listDevices(deps, organizationId)).map(({ name, state }) => [name, state]);
  assert.deepEqual(states.toSorted(), [
    ['One', 'revoked'],
    ['Two', 'never_seen'],
  ]);
});

test('settings of the fleet are changed by an admin and recorded', async (t) => {
  const { deps, storage, admin, asMember, organizationId, log } = await openFleet(t);
  await assert.rejects(
    changeFleetSettings(deps, asMember, { mode: 'observe' as never }),
    code('insufficient_role'),
  );
  const settings = await changeFleetSettings(deps, admin, { extraHosts: ['ai.example.com'] });
  assert.deepEqual(settings.extraHosts, ['ai.example.com']);
  assert.deepEqual(await storage.fleetSettings.get(organizationId), settings);
  assert.deepEqual(await log(), [
    [
      ...['fleet_settings_changed', admin.id, organizationId],
      { extraHosts: ['ai.example.com'], before: { extraHosts: [] } },
    ],
  ]);
});

test('a device is assigned to a member, and to none again; a revoked one to no member', async (t) => {
  const { deps, storage, admin, member, organizationId, addDevice, log } = await openFleet(t);
  const { id } = await addDevice('One');
  const ownerOf = async () => (await storage.devices.get(organizationId, id))?.userId;
  const assign = (email: string | null, deviceId = id) => assignDevice(deps, admin, deviceId, email);
  await assert.rejects(assign('none@example.com'), code('not_found', /none@example\.com/));
  await assert.rejects(assign(null, 'dev_none'), code('not_found', /device/));
  await assign(` ${member.email.toUpperCase()} `);
  assert.equal(await ownerOf(), member.userId);
  await assign(null);
  assert.equal(await ownerOf(), null);
  assert.deepEqual(await log(), [
    ['device_assigned', admin.id, id, { was: null, user_id: member.userId }],
    ['device_assigned', admin.id, id, { was: member.userId, user_id: null }],
  ]);
  await storage.devices.revoke(organizationId, id);
  await assert.rejects(assign(member.email), code('invalid_state', /revoked/));
  assert.equal(await ownerOf(), null);
  assert.equal((await findMemberByEmail(storage, organizationId, member.email)).userId, member.userId);
});

test('a device is assigned to nobody whose membership ends meanwhile', async (t) => {
  const { deps, storage, admin, member, organizationId, addDevice, log } = await openFleet(t);
  const { id } = await addDevice('One');
  const members: typeof storage.members = {
    ...storage.members,
    list: async (...args) => {
      const all = await storage.members.list(...args);
      await storage.members.remove(organizationId, member.userId);
      return all;
    },
  };
  const meanwhile = { ...deps, storage: { ...storage, members } };
  await assert.rejects(assignDevice(meanwhile, admin, id, member.email), code('not_found'));
  assert.equal((await storage.devices.get(organizationId, id))?.userId, null);
  assert.deepEqual(await log(), []);
});

test('several devices are revoked together, or none if one is unknown', async (t) => {
  const { deps, storage, admin, organizationId, addDevice, log, forgotten } = await openFleet(t);
  const [one, two, old] = [await addDevice('One'), await addDevice('Two'), await addDevice('Old')];
  await storage.devices.revoke(organizationId, old.id);
  const isRevoked = async (id: string) =>
    (await storage.devices.get(organizationId, id))?.revokedAtMs !== null;
  await assert.rejects(revokeDevices(deps, admin, [one.id, 'zzz']), code('not_found', /none was revoked/));
  assert.deepEqual([await isRevoked(one.id), await log(), forgotten()], [false, [], 0]);
  const ended = await revokeDevices(deps, admin, [two.id, one.id, one.id, old.id]);
  const ids = [one.id, two.id].sort();
  assert.deepEqual(ended, ids);
  assert.deepEqual(
    await log(),
    ids.map((id) => ['device_revoked', admin.id, id, {}]),
  );
  assert.equal(forgotten(), 1);
});

test('a device that unenrolls is revoked and recorded once', async (t) => {
  const { deps, storage, organizationId, addDevice, log, forgotten } = await openFleet(t);
  const { id } = await addDevice('One');
  const context = { organizationId, deviceId: id } as never;
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(await unenrollDevice(deps, context), { device_id: id, revoked: true });
  }
  assert.notEqual((await storage.devices.get(organizationId, id))?.revokedAtMs, null);
  assert.deepEqual(await log(), [['device_unenrolled', id, id, {}]]);
  assert.equal(forgotten(), 2);
});
