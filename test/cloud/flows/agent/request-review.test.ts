import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { requestReview } from '../../../../apps/cloud/src/flows/agent/request-review.ts';
import { readRequest } from '../../../../apps/cloud/src/flows/approvals/cancel-request.ts';
import { decideRequest } from '../../../../apps/cloud/src/flows/approvals/decide-request.ts';
import type { Principal } from '../../../../apps/cloud/src/flows/authenticate-key.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const HOUR_MS = 60 * 60_000;
const fails =
  (code: string, fields: object = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof CodedError);
    assert.deepEqual([error.code, error.fields ?? {}], [code, fields]);
    return true;
  };

async function openReviews(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { organizationId, userId } = await env.addPerson();
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
  const addMember = async (role: 'admin' | 'member') => {
    const { userId } = await env.addPerson();
    await storage.members.add(organizationId, userId, role);
    return { organizationId, id: userId, userId };
  };
  const principal = (change: Partial<Principal> = {}): Principal =>
    ({
      ...{ organizationId, projectId, userId, deviceId: null, actor: 'key_a', zeroRetention: false },
      ...change,
    }) as Principal;
  type Input = Parameters<typeof requestReview>[2];
  const tryRequest = (call: string, change: Partial<Input> = {}, by = principal()) =>
    requestReview({ storage }, by, {
      ...{ open: null, agentId: 'agent', sessionId: null, toolName: 'pay', call, spellings: [call] },
      ...{ arguments: { to: 'Ann' }, reason: 'listed', eventId: 'evt_1', ...change },
    });
  const request = async (...input: Parameters<typeof tryRequest>) => {
    const review = await tryRequest(...input);
    assert.ok(review !== null);
    return review;
  };
  const decide = (
    by: Parameters<typeof decideRequest>[1],
    id: string,
    verdict: Parameters<typeof decideRequest>[3],
  ) => decideRequest({ storage }, by, { id, kind: 'tool_review' }, verdict);
  const log = () => env.changes(organizationId);
  return {
    ...env,
    organizationId,
    userId,
    projectId,
    addMember,
    principal,
    request,
    tryRequest,
    decide,
    log,
  };
}

test('a review is stored as requested, waits for a day, and is recorded without the arguments', async (t) => {
  const { request, principal, log, storage, clock, organizationId, userId, projectId } = await openReviews(t);
  const made = await request('a', { sessionId: 'ses_1' });
  assert.deepEqual(await storage.requests.get(organizationId, made.id, 'tool_review'), {
    ...{ id: made.id, projectId, requestedBy: 'key_a', requesterUserId: userId, agentId: 'agent' },
    ...{ sessionId: 'ses_1', toolName: 'pay', reason: 'listed', status: 'pending', decidedBy: null },
    ...{ decisionReason: null, decidedAtMs: null, createdAtMs: clock.now(), eventId: 'evt_1' },
    ...{ kind: 'tool_review', organizationId, deviceId: null, justification: null, startsAtMs: null },
    ...{ changedAtMs: clock.now(), expiresAtMs: null, arguments: { to: 'Ann' } },
    ...{ pendingUntilMs: clock.now() + 24 * HOUR_MS, endsAtMs: clock.now() + 24 * HOUR_MS },
  });
  const secret = await request('b', { toolName: 'two words' }, principal({ zeroRetention: true }));
  assert.equal((await storage.requests.get(organizationId, secret.id, 'tool_review'))?.arguments, null);
  assert.deepEqual(await log(), [
    {
      ...{ kind: 'tool_review_created', actor: 'key_a', subject: made.id },
      data: { project_id: projectId, tool_name: 'pay' },
    },
    {
      ...{ kind: 'tool_review_created', actor: 'key_a', subject: secret.id },
      data: { project_id: projectId, tool_name: null },
    },
  ]);
});

test('a call has one review while it is open, in whatever spelling', async (t) => {
  const { request, log, clock, storage, organizationId } = await openReviews(t);
  const first = await request('a');
  assert.equal((await request('A', { spellings: ['A', 'a'] })).id, first.id);
  assert.notEqual((await request('b')).id, first.id);
  assert.equal((await request('c', { open: first })).id, first.id, 'the one that is known is taken');
  const [one, other] = await Promise.all([request('d'), request('d')]);
  assert.equal(one.id, other.id);
  assert.equal((await log()).length, 3);
  clock.advance(24 * HOUR_MS - 1);
  assert.equal((await request('a')).id, first.id);
  clock.advance(1);
  assert.notEqual((await request('a')).id, first.id);
  assert.equal((await storage.requests.get(organizationId, first.id, 'tool_review'))?.status, 'expired');
});

test('a hundred calls of a key wait at most', async (t) => {
  const { request, tryRequest, decide, addMember, principal, log } = await openReviews(t);
  const admin = await addMember('admin');
  const first = await request('call 0');
  for (let n = 1; n < 100; n++) await request(`call ${n}`);
  assert.equal(await tryRequest('more'), null);
  assert.equal((await request('call 7')).status, 'pending', 'one that waits is still found');
  await request('more', {}, principal({ actor: 'key_b' }));
  assert.equal((await log()).length, 101);
  await decide(admin, first.id, { approve: false });
  await request('others');
});

test('a call is decided once while it waits, and the decision is valid for an hour', async (t) => {
  const { request, decide, addMember, log, clock, storage, organizationId, projectId } = await openReviews(t);
  const admin = await addMember('admin');
  const [first, second, third] = [
    ...[await request('a'), await request('b', { toolName: 'two words' }), await request('c')],
  ] as const;
  const made = (await log()).length;
  clock.advance(1_000);
  const approved = await decide(admin, first.id, { approve: true, reason: 'fine' });
  assert.deepEqual(
    [approved.id, approved.status, approved.decidedBy, approved.decisionReason, approved.decidedAtMs],
    [first.id, 'approved', admin.id, 'fine', clock.now()],
  );
  assert.equal(approved.expiresAtMs, clock.now() + HOUR_MS);
  assert.deepEqual(await storage.requests.get(organizationId, first.id, 'tool_review'), approved);
  const denied = await decide(admin, second.id, { approve: false });
  assert.deepEqual([denied.status, denied.decisionReason], ['denied', null]);
  await assert.rejects(
    decide(admin, first.id, { approve: false }),
    fails('invalid_state', { status: 'approved' }),
  );
  await assert.rejects(
    decide(admin, second.id, { approve: true, reason: null }),
    fails('invalid_state', { status: 'denied' }),
  );
  clock.advance(24 * HOUR_MS);
  await assert.rejects(
    decide(admin, third.id, { approve: true }),
    fails('invalid_state', { status: 'expired' }),
  );
  await assert.rejects(decide(admin, 'trev_none', { approve: true }), fails('not_found'));
  assert.deepEqual((await log()).slice(made), [
    {
      ...{ kind: 'tool_review_approved', actor: admin.id, subject: first.id },
      data: { project_id: projectId, tool_name: 'pay' },
    },
    {
      ...{ kind: 'tool_review_denied', actor: admin.id, subject: second.id },
      data: { project_id: projectId, tool_name: null },
    },
  ]);
});

test('admins decide, also on calls of their own keys: of the organization, of the project, and the operator', async (t) => {
  const { request, decide, addMember, principal, storage, organizationId, projectId } = await openReviews(t);
  const [admin, member] = [await addMember('admin'), await addMember('member')];
  const own = await request('a', {}, principal({ userId: admin.userId, actor: admin.userId }));
  const shared = await request('b', {}, principal({ projectId: null }));
  const lacks = fails('insufficient_role', { required_role: 'admin' });
  await assert.rejects(decide(member, own.id, { approve: true }), lacks);
  await assert.rejects(decide(member, 'trev_none', { approve: true }), lacks, 'ids cannot be probed');
  const [source, role] = ['assigned', 'admin'] as const;
  await storage.members.setProjectRoles([
    { organizationId, projectId, userId: member.userId, source, role, givenBy: admin.userId },
  ]);
  await assert.rejects(decide(member, shared.id, { approve: true }), lacks);
  assert.equal((await decide(admin, own.id, { approve: true })).status, 'approved');
  const another = await request('c');
  assert.equal((await decide(member, another.id, { approve: false })).status, 'denied');
  const operator = { organizationId, id: 'operator', userId: null };
  assert.equal((await decide(operator, shared.id, { approve: true })).decidedBy, 'operator');
});

test('a review is read by its organization alone', async (t) => {
  const { request, storage, organizationId, addPerson } = await openReviews(t);
  const made = await request('a');
  const read = (id: string, of = organizationId) =>
    readRequest({ storage }, { organizationId: of, deviceId: null }, { id, kind: 'tool_review' });
  const found = await read(made.id);
  assert.deepEqual([found.id, found.status, found.toolName], [made.id, 'pending', 'pay']);
  await assert.rejects(read(made.id, (await addPerson()).organizationId), fails('not_found'));
  await assert.rejects(read('trev_none'), fails('not_found'));
});
