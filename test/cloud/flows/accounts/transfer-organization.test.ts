import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import {
  acceptTransfer,
  offerTransfer,
} from '../../../../apps/cloud/src/flows/accounts/transfer-organization.ts';
import { openAccountTestEnv, PASSWORD } from '../../../support/account-test-env.ts';

const DAY_MS = 86_400_000;
const code = (expected: string) => (error: unknown) => error instanceof CodedError && error.code === expected;

/** An owner, and a member without an organization of tsuccessor own. */
async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const owner = await env.addCaller();
  const { organizationId } = owner;
  const user = await storage.users.insert({ email: 'successor@example.com', emailVerifiedAtMs: 1 });
  await storage.members.add(organizationId, user.id, 'member');
  const offer = (user_id = user.id, current_password = PASSWORD) =>
    offerTransfer(env.deps, owner, { user_id, current_password });
  const accept = async (invitationId: string, recipientId = user.id) => {
    const invitation = await storage.invitations.get(organizationId, invitationId);
    await storage.transaction((repositories) => acceptTransfer(repositories, invitation!, recipientId));
  };
  const roles = async () =>
    await Promise.all(
      [owner.userId, user.id].map(async (id) => (await storage.members.get(organizationId, id))?.role),
    );
  const plans = async () =>
    await Promise.all([owner.userId, user.id].map(async (id) => (await storage.subscriptions.get(id))?.plan));
  return { ...env, owner, organizationId, successor: user, offer, accept, roles, plans };
}

test('an offer takes the password, is sent and recorded, and replaces those that are open', async (t) => {
  const { storage, clock, owner, organizationId, successor, offer, changes, emailsTo, roles } =
    await openTeam(t);
  await assert.rejects(offer(successor.id, 'wrong'), ValidationError);
  const open = async (email: string, role: 'owner' | 'member') =>
    await storage.invitations.create(organizationId, {
      ...{ email, role, invitedBy: owner.userId, expiresAtMs: clock.now() + DAY_MS },
    });
  const kept = await open('other@example.com', 'member');
  await open('another@example.com', 'owner');
  await open('SUCCESSOR@example.com', 'member');
  const { invitation, plan } = await offer();
  assert.deepEqual(
    [invitation.email, invitation.role, invitation.expiresAtMs, plan],
    [successor.email, 'owner', clock.now() + 7 * DAY_MS, 'free'],
  );
  const ids = (await storage.invitations.listOpen(organizationId)).map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), [kept.invitation.id, invitation.id].toSorted());
  const [sent] = await emailsTo(successor.email, organizationId);
  assert.equal((await storage.invitations.findByToken(sent!.token))?.id, invitation.id);
  assert.deepEqual(await changes(organizationId), [
    {
      ...{ kind: 'organization_offered', actor: owner.userId, subject: successor.id },
      data: { invitation_id: invitation.id },
    },
  ]);
  assert.deepEqual(await roles(), ['owner', 'member'], 'nothing is transferred yet');
});

test('an offer is made to another member whose address is verified', async (t) => {
  const { storage, owner, organizationId, successor, offer, addPerson } = await openTeam(t);
  for (const id of [owner.userId, (await addPerson()).userId, 'usr_none']) {
    await assert.rejects(offer(id), code('not_found'));
  }
  await storage.users.update(successor.id, { emailVerifiedAtMs: null });
  await assert.rejects(offer(), code('email_not_verified'));
  assert.deepEqual(await storage.invitations.listOpen(organizationId), []);
});

test('the contract moves along if neither owns another organization', async (t) => {
  const { storage, owner, organizationId, successor, offer, accept, roles, plans, changes } =
    await openTeam(t);
  await storage.subscriptions.set(owner.userId, { plan: 'pro', perMinute: 7, monthly: 8, spendCapUsd: 9 });
  const { invitation, plan } = await offer();
  assert.equal(plan, 'pro');
  await accept(invitation.id);
  assert.deepEqual(
    [await roles(), await plans()],
    [
      ['admin', 'owner'],
      ['free', 'pro'],
    ],
  );
  const given = await storage.subscriptions.get(successor.id);
  assert.deepEqual([given?.perMinute, given?.monthly, given?.spendCapUsd], [7, 8, 9]);
  const left = await storage.subscriptions.get(owner.userId);
  assert.deepEqual([left?.perMinute, left?.monthly, left?.spendCapUsd], [null, null, null]);
  assert.equal((await storage.organizations.get(organizationId))?.ownerId, successor.id);
  assert.deepEqual((await changes(organizationId)).at(-1), {
    ...{ kind: 'organization_transferred', actor: successor.id, subject: successor.id },
    data: { from: owner.userId, plan: 'pro' },
  });
  await assert.rejects(accept(invitation.id), code('link_expired'));
});

test('if one of them owns another organization, each keeps the contract they have', async (t) => {
  for (const who of ['owner', 'successor'] as const) {
    const { storage, owner, successor, offer, accept, plans } = await openTeam(t);
    await storage.subscriptions.set(owner.userId, { plan: 'pro' });
    const ownerId = who === 'owner' ? owner.userId : successor.id;
    await storage.organizations.insert({ kind: 'team', name: 'Other', ownerId });
    if (who === 'successor') await storage.subscriptions.set(successor.id, { plan: 'team' as never });
    const { invitation, plan } = await offer();
    const expected = who === 'successor' ? 'team' : 'free';
    assert.equal(plan, expected);
    await accept(invitation.id);
    assert.deepEqual(await plans(), ['pro', expected]);
  }
});

test('without a contract of the giver the other one starts with none to pay for', async (t) => {
  const { offer, accept, plans } = await openTeam(t);
  const { invitation } = await offer();
  await accept(invitation.id);
  assert.deepEqual(await plans(), [undefined, 'free']);
});

test('one who left meanwhile, or an organization with another owner, is not transferred', async (t) => {
  const { storage, owner, organizationId, successor, offer, accept, roles, addPerson } = await openTeam(t);
  const { invitation } = await offer();
  await assert.rejects(accept(invitation.id, (await addPerson()).userId), code('link_expired'));
  await storage.organizations.transfer(organizationId, owner.userId, successor.id);
  await assert.rejects(accept(invitation.id), code('link_expired'));
  assert.deepEqual(await roles(), ['owner', 'member']);
});
