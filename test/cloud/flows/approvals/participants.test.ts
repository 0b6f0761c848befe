import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import type { Caller } from '../../../../apps/cloud/src/access/caller.ts';
import { decideRequest } from '../../../../apps/cloud/src/flows/approvals/decide-request.ts';
import {
  isVisible,
  requesterOf,
  requireApprover,
  requireCanceller,
  requireFewPending,
} from '../../../../apps/cloud/src/flows/approvals/participants.ts';
import { rowOf } from '../../../../apps/cloud/src/flows/approvals/request-kinds.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof CodedError && error.code === expected && message.test(error.message);

async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const owner = await env.addPerson();
  const { organizationId } = owner;
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
  const add = async (role: 'admin' | 'member' | 'viewer') => {
    const { userId } = await env.addPerson();
    await storage.members.add(organizationId, userId, role);
    return { organizationId, id: userId, userId };
  };
  const caller = (change: Partial<Caller>): Caller =>
    ({ organizationId, projectId, userId: null, deviceId: null, actor: 'key_a', ...change }) as Caller;
  return { ...env, organizationId, projectId, add, caller };
}

test('a request is of the device and its owner, or of the person behind the key, else of the key', async (t) => {
  const { storage, organizationId, projectId, add, caller } = await openTeam(t);
  const { userId } = await add('member');
  const owned = await storage.devices.insert(organizationId, { name: 'D', platform: 'linux', userId });
  const free = await storage.devices.insert(organizationId, { name: 'E', platform: 'linux' });
  const of = (change: Partial<Caller>) => requesterOf({ storage }, caller(change));
  assert.deepEqual(await of({}), { projectId, deviceId: null, requestedBy: 'key_a', requesterUserId: null });
  assert.deepEqual(await of({ userId }), {
    projectId,
    deviceId: null,
    requestedBy: userId,
    requesterUserId: userId,
  });
  assert.deepEqual(await of({ deviceId: owned.id, userId: 'usr_x' }), {
    ...{ projectId, deviceId: owned.id, requestedBy: owned.id, requesterUserId: userId },
  });
  assert.deepEqual(await of({ deviceId: free.id }), {
    ...{ projectId, deviceId: free.id, requestedBy: free.id, requesterUserId: null },
  });
});

test('admins of the organization or the project approve, and no one their own request', async (t) => {
  const { storage, organizationId, projectId, add, caller } = await openTeam(t);
  const [admin, member] = [await add('admin'), await add('member')];
  const request = await requesterOf({ storage }, caller({}));
  const approve = (by: typeof admin | { organizationId: string; id: string; userId: null }, of = request) =>
    requireApprover({ storage }, by, of, rowOf('exception'));
  await approve(admin);
  await assert.rejects(approve(member), code('insufficient_role'));
  const [source, role] = ['assigned', 'admin'] as const;
  await storage.members.setProjectRoles([
    { organizationId, projectId, userId: member.userId, source, role, givenBy: admin.userId },
  ]);
  await approve(member);
  await assert.rejects(approve(member, { ...request, projectId: null }), code('insufficient_role'));
  const own = /cannot approve your own/;
  await assert.rejects(
    approve(admin, { ...request, requesterUserId: admin.userId }),
    code('insufficient_role', own),
  );
  await assert.rejects(approve(admin, { ...request, requestedBy: admin.id }), code('insufficient_role', own));
  await approve({ organizationId, id: 'operator', userId: null });
  await assert.rejects(
    requireApprover(
      { storage },
      { organizationId, id: 'operator', userId: admin.userId },
      { ...request, requesterUserId: admin.userId },
      rowOf('exception'),
    ),
    code('insufficient_role', /: this command acts for the owner .* page Members\.$/),
  );
  await assert.rejects(
    approve({ organizationId, id: 'key_a', userId: null }),
    code('insufficient_role', own),
  );
});

test('a request is canceled by the device, by who made it, or by a member; a device sees its own alone', async (t) => {
  const { storage, add, caller } = await openTeam(t);
  const [member, viewer] = [await add('member'), await add('viewer')];
  const request = { ...(await requesterOf({ storage }, caller({}))), deviceId: 'dev_a' };
  const cancel = (change: Partial<Caller>, of: typeof request = request) =>
    requireCanceller({ storage }, caller(change), of);
  await cancel({ deviceId: 'dev_a' });
  await cancel({ userId: member.userId });
  await assert.rejects(cancel({ userId: viewer.userId }), code('insufficient_role'));
  await cancel({ userId: viewer.userId }, { ...request, requesterUserId: viewer.userId });
  await cancel({});
  assert.deepEqual(
    [{}, { deviceId: 'dev_a' }, { deviceId: 'dev_b' }].map((change) => isVisible(caller(change), request)),
    [true, true, false],
  );
});

test('a hundred requests of a device wait at most', () => {
  requireFewPending(99);
  assert.throws(() => requireFewPending(100), code('rate_limit_exceeded', /100 requests/));
});

test('an exception is decided once, for as long as was asked for or less, and recorded', async (t) => {
  const { storage, clock, organizationId, add, changes } = await openTeam(t);
  const admin = await add('admin');
  const request = () =>
    storage.requests.insert(organizationId, 'exception', {
      ...{ projectId: null, deviceId: null, requestedBy: 'key_a', requesterUserId: null, policyId: null },
      ...{
        destinationHost: 'chat.example.com',
        subject: 'chat.example.com',
        threat: null,
        reasonCategory: null,
      },
      ...{ justification: null, requestedMinutes: 5 },
    });
  const first = await request();
  for (const minutes of [0, 6, 1.5]) {
    await assert.rejects(
      decideRequest({ storage }, admin, { id: first.id }, { approve: true, minutes }),
      code('invalid_request'),
    );
  }
  const approved = await decideRequest(
    { storage },
    admin,
    { id: first.id },
    {
      approve: true,
      minutes: 5,
      reason: 'ok',
    },
  );
  assert.equal(approved.status, 'approved');
  const stored = await storage.requests.get(organizationId, first.id, 'exception');
  assert.deepEqual(
    [stored?.expiresAtMs, stored?.decidedBy, stored?.decisionReason],
    [clock.now() + 5 * 60_000, admin.id, 'ok'],
  );
  await assert.rejects(
    decideRequest({ storage }, admin, { id: first.id }, { approve: false }),
    code('invalid_state', /already approved/),
  );
  const second = await request();
  await decideRequest({ storage }, admin, { id: second.id }, { approve: false });
  await assert.rejects(
    decideRequest({ storage }, admin, { id: 'exc_none' }, { approve: true }),
    code('not_found'),
  );
  assert.deepEqual(
    (await changes(organizationId)).map(({ kind, actor, subject, data }) => [
      ...[kind, actor, subject],
      ...[(data as Record<string, unknown>)['minutes'], (data as Record<string, unknown>)['expires_at_ms']],
    ]),
    [
      ['exception_approved', admin.id, first.id, 5, clock.now() + 5 * 60_000],
      ['exception_denied', admin.id, second.id, undefined, undefined],
    ],
  );
});
