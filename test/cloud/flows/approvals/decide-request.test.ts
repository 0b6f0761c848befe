import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import type { Caller } from '../../../../apps/cloud/src/access/caller.ts';
import { cancelRequest } from '../../../../apps/cloud/src/flows/approvals/cancel-request.ts';
import { requestTool } from '../../../../apps/cloud/src/flows/approvals/create-request.ts';
import { decideRequest } from '../../../../apps/cloud/src/flows/approvals/decide-request.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

const fails =
  (code: string, fields: object = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof CodedError);
    assert.deepEqual([error.code, error.fields ?? {}], [code, fields]);
    return true;
  };

async function openRequests(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { organizationId } = await env.addPerson();
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
  const addMember = async (role: 'admin' | 'member' | 'viewer') => {
    const { userId } = await env.addPerson();
    await storage.members.add(organizationId, userId, role);
    return { organizationId, id: userId, userId };
  };
  const caller = (change: Partial<Caller> = {}): Caller =>
    ({ organizationId, projectId, userId: null, deviceId: null, actor: 'key_a', ...change }) as Caller;
  const addDevice = async (userId?: string) => {
    const { id } = await storage.devices.insert(organizationId, {
      ...{ name: 'D', platform: 'linux' },
      ...(userId === undefined ? {} : { userId }),
    });
    return caller({ deviceId: id, actor: id });
  };
  const ask = (by: Caller, change: object = {}) =>
    requestTool({ storage }, by, { requested_host: 'chat.example.com', ...change });
  const log = () => env.changes(organizationId);
  return { ...env, organizationId, projectId, addMember, caller, addDevice, ask, log };
}

test('a request is stored as asked, of the caller, and recorded without the texts', async (t) => {
  const { caller, ask, log, projectId, organizationId, storage, clock } = await openRequests(t);
  const made = await ask(caller(), {
    ...{ requested_name: 'Chat', justification: 'For the team', event_id: 'evt_1' },
  });
  const stored = await storage.requests.get(organizationId, made.id, 'tool_request');
  assert.deepEqual(stored, {
    ...{ id: made.id, organizationId, projectId, deviceId: null, requestedBy: 'key_a' },
    ...{ requesterUserId: null, requestedHost: 'chat.example.com', requestedName: 'Chat' },
    ...{ justification: 'For the team', status: 'pending', decidedBy: null, decisionReason: null },
    ...{ decidedAtMs: null, createdAtMs: clock.now(), changedAtMs: clock.now(), eventId: 'evt_1' },
    ...{ kind: 'tool_request', startsAtMs: null, expiresAtMs: null },
    ...{ pendingUntilMs: clock.now() + WEEK_MS, endsAtMs: clock.now() + WEEK_MS },
  });
  assert.deepEqual(
    [made.requestedHost, made.requestedName, made.justification, made.status],
    ['chat.example.com', 'Chat', 'For the team', 'pending'],
  );
  const plain = await ask(caller({ actor: 'key_b' }), {
    ...{ requested_host: 'two words', requested_name: '', event_id: '' },
  });
  const { requestedName, justification, eventId } = (await storage.requests.get(
    organizationId,
    plain.id,
    'tool_request',
  ))!;
  assert.deepEqual([requestedName, justification, eventId], [null, null, null]);
  assert.deepEqual(await log(), [
    {
      ...{ kind: 'tool_request_created', actor: 'key_a', subject: made.id },
      data: { device_id: null, project_id: projectId, requested_host: 'chat.example.com' },
    },
    {
      ...{ kind: 'tool_request_created', actor: 'key_b', subject: plain.id },
      data: { device_id: null, project_id: projectId, requested_host: null },
    },
  ]);
});

test('a hundred requests of a device wait at most; a key has no such limit', async (t) => {
  const { caller, addDevice, ask, addMember, log, storage } = await openRequests(t);
  const owner = await addMember('member');
  const device = await addDevice(owner.userId);
  const first = await ask(device);
  assert.deepEqual([first.deviceId, first.requestedBy], [device.deviceId, device.deviceId]);
  for (let n = 1; n < 100; n++) await ask(device);
  await assert.rejects(ask(device), fails('rate_limit_exceeded', { retry_after: 60 }));
  await ask(await addDevice());
  await ask(caller());
  assert.equal((await log()).length, 102);
  await cancelRequest({ storage }, device, { id: first.id });
  await ask(device);
});

test('a request is canceled while it waits or is approved, by its device or a member', async (t) => {
  const { caller, addDevice, ask, addMember, log, storage, organizationId } = await openRequests(t);
  const [device, other, admin, viewer] = [
    ...[await addDevice(), await addDevice()],
    ...[await addMember('admin'), await addMember('viewer')],
  ] as const;
  const cancel = (by: Caller, id: string) => cancelRequest({ storage }, by, { id });
  const [waiting, approved, denied] = [await ask(device), await ask(device), await ask(device)];
  await decideRequest({ storage }, admin, { id: approved.id }, { approve: true });
  await decideRequest({ storage }, admin, { id: denied.id }, { approve: false });
  const made = (await log()).length;
  await assert.rejects(cancel(device, 'treq_none'), fails('not_found'));
  await assert.rejects(cancel(other, waiting.id), fails('not_found'), 'of another device');
  await assert.rejects(
    cancel(caller({ userId: viewer.userId }), waiting.id),
    fails('insufficient_role', { required_role: 'member' }),
  );
  const result = await cancel(device, waiting.id);
  assert.deepEqual([result.id, result.status], [waiting.id, 'cancelled']);
  assert.equal((await cancel(caller(), approved.id)).status, 'cancelled');
  await assert.rejects(cancel(device, denied.id), fails('invalid_state', { status: 'denied' }));
  await assert.rejects(cancel(device, waiting.id), fails('invalid_state', { status: 'cancelled' }));
  const stored = await storage.requests.get(organizationId, waiting.id, 'tool_request');
  assert.deepEqual([stored?.status, stored?.decidedBy], ['cancelled', device.deviceId]);
  assert.deepEqual((await log()).slice(made), [
    ...[
      [device.actor, waiting.id, 'pending'],
      ['key_a', approved.id, 'approved'],
    ].map(([actor, subject, was]) => ({ kind: 'tool_request_cancelled', actor, subject, data: { was } })),
  ]);
});

test('a request is decided once, by an admin who did not ask, with a reason or without', async (t) => {
  const { caller, addDevice, ask, addMember, log, storage, organizationId, projectId, clock } =
    await openRequests(t);
  const [admin, member] = [await addMember('admin'), await addMember('member')];
  const device = await addDevice(admin.userId);
  const decide = (id: string, approve: boolean, by = admin, reason?: string) =>
    decideRequest({ storage }, by, { id }, { approve, ...(reason === undefined ? {} : { reason }) });
  const [first, second, own] = [await ask(caller()), await ask(caller()), await ask(device)];
  const made = (await log()).length;
  await assert.rejects(decide('treq_none', true), fails('not_found'));
  await assert.rejects(
    decide(first.id, true, member),
    fails('insufficient_role', { required_role: 'admin' }),
  );
  await assert.rejects(decide(own.id, true), fails('insufficient_role', { required_role: 'admin' }));
  clock.advance(1_000);
  const approved = await decide(first.id, true, admin, 'fine');
  assert.deepEqual([approved.id, approved.status, approved.decisionReason], [first.id, 'approved', 'fine']);
  const denied = await decide(second.id, false);
  assert.deepEqual([denied.status, denied.decisionReason], ['denied', null]);
  await assert.rejects(decide(first.id, false), fails('invalid_state', { status: 'approved' }));
  await assert.rejects(decide(second.id, true), fails('invalid_state', { status: 'denied' }));
  const stored = await storage.requests.get(organizationId, first.id, 'tool_request');
  assert.deepEqual(
    [stored?.status, stored?.decidedBy, stored?.decisionReason, stored?.decidedAtMs],
    ['approved', admin.id, 'fine', clock.now()],
  );
  const data = { device_id: null, project_id: projectId, requested_host: 'chat.example.com' };
  assert.deepEqual((await log()).slice(made), [
    { kind: 'tool_request_approved', actor: admin.id, subject: first.id, data },
    { kind: 'tool_request_denied', actor: admin.id, subject: second.id, data },
  ]);
});
