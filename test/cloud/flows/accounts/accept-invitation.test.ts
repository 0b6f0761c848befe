import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import {
  acceptInvitation,
  acceptOwnInvitation,
  declineInvitation,
  listOwnInvitations,
  readInvitation,
} from '../../../../apps/cloud/src/flows/accounts/accept-invitation.ts';
import { verifyPassword } from '../../../../apps/cloud/src/flows/accounts/hash-password.ts';
import type { SignedIn } from '../../../../apps/cloud/src/flows/accounts/read-session.ts';
import type { Role } from '../../../../apps/cloud/src/storage/storage.ts';
import { BROWSER, openAccountTestEnv, PASSWORD } from '../../../support/account-test-env.ts';

const NEW = 'new@example.com';
const code = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof CodedError, String(error));
  assert.deepEqual([error.code, error.fields], [expected, {}]);
  return true;
};

/** A team that invites; `forgotten` counts how often cached keys are forgotten. */
async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { userId: ownerId, email: ownerEmail, organizationId } = await env.addPerson();
  let forgotten = 0;
  const forgetKeys = () => {
    forgotten += 1;
  };
  const deps = { storage, clock, forgetKeys };
  const invite = (email: string, role: Role = 'member', invitedBy = ownerId) =>
    storage.invitations.create(organizationId, { email, role, invitedBy, expiresAtMs: clock.now() + 1_000 });
  const accept = (
    token: string,
    person: SignedIn | null = null,
    {
      signUp = 'invitation',
      ...input
    }: { signUp?: 'open' | 'invitation'; password?: string; name?: string } = {
      password: PASSWORD,
    },
  ) => acceptInvitation({ ...deps, signUp }, { token, ...input }, person, BROWSER);
  /** A signed-in person with an organization of their own. */
  async function addInvited(isVerified = true) {
    const { userId, email, organizationId: ownId } = await env.addPerson();
    if (isVerified) await storage.users.update(userId, { emailVerifiedAtMs: 1 });
    const { person } = await env.signIn(userId);
    return { userId, email, ownId, person };
  }
  const statusOf = async (id: string) => (await storage.invitations.get(organizationId, id))?.status;
  const roleOf = async (id: string) => (await storage.members.get(organizationId, id))?.role;
  const log = () => env.changes(organizationId);
  const team = {
    ownerId,
    ownerEmail,
    organizationId,
    deps,
    invite,
    accept,
    addInvited,
    statusOf,
    roleOf,
    log,
  };
  return { ...env, ...team, forgotten: () => forgotten };
}

const joined = (userId: string, role: string, invitation_id: string, invited_by: string) => ({
  ...{ kind: 'member_added', actor: userId, subject: userId },
  data: { role, invitation_id, invited_by },
});

test('an invitation is read by its link until it expires', async (t) => {
  const { clock, deps, ownerEmail, invite, addPerson } = await openTeam(t);
  const { invitation, token } = await invite(NEW);
  const shown = { invitation, organizationName: 'Team', ownerEmail, user: null };
  assert.deepEqual(await readInvitation(deps, token), shown);
  const known = await addPerson();
  const other = await readInvitation(deps, (await invite(known.email)).token);
  assert.equal(other.user?.id, known.userId);
  await assert.rejects(readInvitation(deps, 'unknown'), code('link_expired'));
  clock.advance(999);
  assert.deepEqual(await readInvitation(deps, token), shown);
  clock.advance(1);
  await assert.rejects(readInvitation(deps, token), code('link_expired'));
});

test('a new person gets an account, the membership and a session in the organization', async (t) => {
  const { storage, clock, ownerId, organizationId, invite, accept, statusOf, log, forgotten } =
    await openTeam(t);
  const { invitation, token } = await invite(NEW, 'auditor');
  const session = await accept(token, null, { password: PASSWORD, name: ' Ada ' });
  const user = (await storage.users.findByEmail(NEW))!;
  assert.deepEqual([user.email, user.name, user.emailVerifiedAtMs], [NEW, 'Ada', clock.now()]);
  assert.equal(await verifyPassword(PASSWORD, user.passwordHash), true);
  const contract = await storage.subscriptions.get(user.id);
  assert.deepEqual([contract?.plan, contract?.status], ['free', 'active']);
  const found = await storage.sessions.find(session!.token, clock.now());
  assert.deepEqual(
    [found?.userId, found?.organizationId, found?.address, found?.ssoOrganizationId],
    [user.id, organizationId, BROWSER.address, null],
  );
  assert.equal(await storage.knownBrowsers.isKnown(user.id, session!.knownToken!, clock.now()), true);
  const [only, ...others] = await storage.organizations.listForUser(user.id);
  assert.deepEqual(
    [only?.id, only?.role, only?.chosenAtMs, others],
    [organizationId, 'auditor', clock.now(), []],
  );
  assert.deepEqual(await log(), [joined(user.id, 'auditor', invitation.id, ownerId)]);
  assert.deepEqual([await statusOf(invitation.id), forgotten()], ['accepted', 1]);
  await assert.rejects(accept(token), code('link_expired'));
});

test('where sign-up is open, a new person also gets an organization of their own', async (t) => {
  const { storage, organizationId, invite, accept } = await openTeam(t);
  await accept((await invite(NEW)).token, null, { password: PASSWORD, name: '  ', signUp: 'open' });
  const user = (await storage.users.findByEmail(NEW))!;
  assert.equal(user.name, null);
  const all = await storage.organizations.listForUser(user.id);
  assert.deepEqual(
    all.map(({ kind, name, role, ownerId }) => [kind, name, role, ownerId === user.id]).sort(),
    [
      ['personal', 'My organization', 'owner', true],
      ['team', 'Team', 'member', false],
    ],
  );
  const chosen = all.filter(({ chosenAtMs }) => chosenAtMs !== null).map(({ id }) => id);
  assert.deepEqual(chosen, [organizationId]);
});

test('a new person needs a password that is hard to guess and unlike their name and address', async (t) => {
  const { storage, invite, accept, statusOf, forgotten } = await openTeam(t);
  const { invitation, token } = await invite('quixotic@zanzibar.example');
  for (const input of [
    {},
    { password: 'short' },
    { password: 'quixotic zanzibar example' },
    { password: 'wilhelmina thackeray 7', name: 'Wilhelmina Thackeray' },
  ]) {
    await assert.rejects(accept(token, null, input), (error) => {
      assert.ok(error instanceof ValidationError, JSON.stringify(input));
      assert.deepEqual([error.detail[0]?.loc, error.detail[0]?.type], [['body', 'password'], 'password']);
      return true;
    });
  }
  assert.equal(await storage.users.findByEmail('quixotic@zanzibar.example'), null);
  assert.deepEqual([await statusOf(invitation.id), forgotten()], ['open', 0]);
});

test('a person with an account accepts in their own session, which continues in the organization', async (t) => {
  const { storage, clock, ownerId, organizationId, invite, accept, addInvited, statusOf, log, forgotten } =
    await openTeam(t);
  const { userId, email, person } = await addInvited(false);
  const { invitation, token } = await invite(email.toUpperCase(), 'admin');
  assert.equal(await accept(token, person, {}), null);
  assert.equal(
    (await storage.users.get(userId))?.emailVerifiedAtMs,
    clock.now(),
    'the link arrived by email',
  );
  const [session, ...others] = await storage.sessions.list(userId);
  assert.deepEqual([session?.id, session?.organizationId, others], [person.sessionId, organizationId, []]);
  const all = await storage.organizations.listForUser(userId);
  const here = all.find(({ id }) => id === organizationId);
  assert.deepEqual([all.length, here?.role, here?.chosenAtMs], [2, 'admin', null]);
  assert.deepEqual(await log(), [joined(userId, 'admin', invitation.id, ownerId)]);
  assert.deepEqual([await statusOf(invitation.id), forgotten()], ['accepted', 1]);
});

test('the time at which an address was verified stays', async (t) => {
  const { storage, invite, accept, addInvited } = await openTeam(t);
  const { userId, email, person } = await addInvited();
  await accept((await invite(email)).token, person, {});
  assert.equal((await storage.users.get(userId))?.emailVerifiedAtMs, 1);
});

test('an invitation is for the person with its address', async (t) => {
  const { storage, invite, accept, addInvited, statusOf, log, forgotten } = await openTeam(t);
  const [invited, other] = [await addInvited(), await addInvited()];
  const toInvited = await invite(invited.email);
  await assert.rejects(accept(toInvited.token), code('not_signed_in'));
  await assert.rejects(accept(toInvited.token, other.person), code('not_signed_in'));
  const toNew = await invite(NEW);
  await assert.rejects(accept(toNew.token, other.person), code('invalid_state'));
  assert.equal(await storage.users.findByEmail(NEW), null);
  for (const { invitation } of [toInvited, toNew]) assert.equal(await statusOf(invitation.id), 'open');
  assert.deepEqual([await log(), forgotten()], [[], 0]);
});

test('a member who accepts keeps their role', async (t) => {
  const { storage, organizationId, invite, accept, addInvited, statusOf, roleOf, log } = await openTeam(t);
  const { userId, email, person } = await addInvited();
  await storage.members.add(organizationId, userId, 'viewer');
  const { invitation, token } = await invite(email, 'admin');
  await accept(token, person, {});
  assert.deepEqual([await roleOf(userId), await statusOf(invitation.id)], ['viewer', 'accepted']);
  assert.deepEqual(await log(), []);
});

test('an offered organization changes its owner', async (t) => {
  const { storage, ownerId, organizationId, invite, accept, addInvited, roleOf, log } = await openTeam(t);
  const { userId, email, person } = await addInvited();
  await storage.members.add(organizationId, userId, 'viewer');
  await accept((await invite(email, 'owner')).token, person, {});
  assert.deepEqual([await roleOf(userId), await roleOf(ownerId)], ['owner', 'admin']);
  assert.equal((await storage.organizations.get(organizationId))?.ownerId, userId);
  assert.deepEqual(
    (await log()).map(({ kind }) => kind),
    ['organization_transferred'],
  );
});

test('of two concurrent acceptances one succeeds', async (t) => {
  const { invite, accept, addInvited, log, forgotten } = await openTeam(t);
  const { email, person } = await addInvited();
  const { token } = await invite(email);
  const both = await Promise.allSettled([accept(token, person, {}), accept(token, person, {})]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.deepEqual([(await log()).length, forgotten()], [1, 1]);
});

test('open invitations to a verified address are listed, newest first, with who invited', async (t) => {
  const { storage, clock, deps, ownerEmail, addPerson, addInvited, invite } = await openTeam(t);
  const { email, person } = await addInvited();
  const first = await invite(email);
  await invite(NEW);
  clock.advance(400);
  const other = await addPerson();
  const second = await storage.invitations.create(other.organizationId, {
    ...{ email, role: 'admin', invitedBy: 'dirt_directory', expiresAtMs: clock.now() + 1_000 },
  });
  const shown = [
    {
      ...{ invitation: second.invitation, organizationName: 'Team' },
      ...{ ownerEmail: other.email, inviterEmail: null },
    },
    { invitation: first.invitation, organizationName: 'Team', ownerEmail, inviterEmail: ownerEmail },
  ];
  const list = (change: object = {}) => listOwnInvitations(deps, { ...person, ...change });
  assert.deepEqual(await list(), shown);
  assert.deepEqual(await list({ isEmailVerified: false }), []);
  clock.advance(599);
  assert.deepEqual(await list(), shown);
  clock.advance(1);
  assert.deepEqual(await list(), shown.slice(0, 1), 'the first one has expired');
});

test('one is accepted without its link, once, and only by the person it is for', async (t) => {
  const { storage, ownerId, organizationId, deps, invite, addInvited, statusOf, roleOf, log, forgotten } =
    await openTeam(t);
  const [{ userId, email, person }, other] = [await addInvited(), await addInvited()];
  const { invitation } = await invite(email, 'viewer');
  await assert.rejects(acceptOwnInvitation(deps, other.person, invitation.id), code('not_found'));
  assert.equal(forgotten(), 0);
  await acceptOwnInvitation(deps, person, invitation.id);
  assert.deepEqual([await statusOf(invitation.id), await roleOf(userId)], ['accepted', 'viewer']);
  assert.equal((await storage.sessions.list(userId))[0]?.organizationId, organizationId);
  assert.deepEqual(await log(), [joined(userId, 'viewer', invitation.id, ownerId)]);
  await assert.rejects(acceptOwnInvitation(deps, person, invitation.id), code('not_found'));
  assert.deepEqual([(await log()).length, forgotten()], [1, 1]);
});

test('one is declined once, which is recorded, and only by the person it is for', async (t) => {
  const { deps, invite, addInvited, statusOf, roleOf, log } = await openTeam(t);
  const [{ userId, email, person }, other] = [await addInvited(), await addInvited()];
  const { invitation } = await invite(email, 'viewer');
  await assert.rejects(declineInvitation(deps, other.person, invitation.id), code('not_found'));
  await declineInvitation(deps, person, invitation.id);
  assert.deepEqual([await statusOf(invitation.id), await roleOf(userId)], ['revoked', undefined]);
  const row = { kind: 'invitation_declined', actor: userId, subject: invitation.id };
  assert.deepEqual(await log(), [{ ...row, data: { role: 'viewer' } }]);
  await assert.rejects(declineInvitation(deps, person, invitation.id), code('not_found'));
  const again = await invite(email);
  const both = await Promise.allSettled(
    [1, 2].map(() => declineInvitation(deps, person, again.invitation.id)),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await log()).length, 2);
});
