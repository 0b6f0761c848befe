import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Email, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { StorageError } from '../../apps/cloud/src/storage/storage-error.ts';
import { assertEmpty, createTestEnv, NOON, onEveryEngine, type TestEnv } from './storage-engines.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const code = (expected: string) => (error: unknown) =>
  error instanceof StorageError && error.code === expected;

onEveryEngine('People', (engine) => {
  let nowMs = NOON;
  let storage: Storage;
  let testEnv: TestEnv;
  before(async () => {
    storage = await engine.open({ now: () => nowMs });
    testEnv = await createTestEnv(storage);
    nowMs += 1;
  });

  const newSession = (userId = testEnv.userId, organizationId: string | null = testEnv.organizationId) =>
    storage.sessions.create({
      userId,
      organizationId,
      address: '192.0.2.7',
      userAgent: 'Browser',
      expiresAtMs: nowMs + DAY,
    });

  test('finds a session by its token, with the person, their role and their plan', async () => {
    const { session, token } = await newSession();
    assert.match(session.id, /^ses_/);
    assert.match(token, /^[0-9A-Za-z]{43}$/);
    const found = await storage.sessions.find(token, nowMs);
    assert.equal(found?.id, session.id);
    assert.equal(found?.presented, 'current');
    assert.equal(found?.hasSecondFactor, false);
    assert.equal(found?.membership?.role, 'owner');
    assert.equal(found?.membership?.plan, 'pro');
    assert.equal(found?.membership?.accountId, testEnv.userId);
    assert.equal(await storage.sessions.find(`${token.slice(0, -1)}-`, nowMs), null);

    const stranger = await createTestEnv(storage);
    const lost = await newSession(stranger.userId, testEnv.organizationId);
    assert.equal(
      (await storage.sessions.find(lost.token, nowMs))?.membership,
      null,
      'not a member, so no data',
    );
    const nowhere = await newSession(stranger.userId, null);
    assert.equal((await storage.sessions.find(nowhere.token, nowMs))?.organizationId, null);
    await storage.sessions.select(nowhere.session.id, stranger.organizationId);
    assert.equal(
      (await storage.sessions.find(nowhere.token, nowMs))?.membership?.organizationId,
      stranger.organizationId,
    );
  });

  test('after a rotation the previous token stays valid until shortly after the new one is used; one of two rotates', async () => {
    const { session, token } = await newSession();
    const [first, second] = await Promise.all([
      storage.sessions.rotate(session.id, session.rotatedAtMs, nowMs + 1),
      storage.sessions.rotate(session.id, session.rotatedAtMs, nowMs + 1),
    ]);
    assert.equal([first, second].filter((made) => made !== null).length, 1, 'one rotation');
    const fresh = (first ?? second) as string;
    const old = await storage.sessions.find(token, nowMs + DAY);
    assert.deepEqual([old?.presented, old?.isRotationSeen], ['previous', false]);
    // The response was lost: the browser still has the old one.
    const again = await storage.sessions.rotate(session.id, nowMs + 1, nowMs + 2);
    assert.equal(await storage.sessions.find(fresh, nowMs), null, 'the lost one belongs to no session');
    assert.equal((await storage.sessions.find(token, nowMs))?.presented, 'previous');
    assert.equal((await storage.sessions.find(again as string, nowMs))?.presented, 'current');
    await storage.sessions.settleRotation(session.id, nowMs + MINUTE);
    await storage.sessions.settleRotation(session.id, nowMs + DAY);
    assert.equal((await storage.sessions.find(token, nowMs + MINUTE - 1))?.presented, 'previous');
    assert.equal(await storage.sessions.find(token, nowMs + MINUTE), null);
    assert.equal((await storage.sessions.find(again as string, nowMs))?.isRotationSeen, true);
  });

  test('sessions are listed and ended by their own person only, and pruned when expired', async () => {
    const person = await createTestEnv(storage);
    const one = await newSession(person.userId, null);
    const two = await newSession(person.userId, null);
    const three = await newSession(person.userId, null);
    await storage.sessions.touch(three.session.id, { atMs: nowMs + 5, address: '192.0.2.8' });
    assert.equal((await storage.sessions.list(person.userId))[0]?.id, three.session.id);
    assert.equal((await storage.sessions.list(person.userId))[0]?.address, '192.0.2.8');
    assert.equal(await storage.sessions.end(testEnv.userId, one.session.id), false, 'not theirs');
    assert.equal(await storage.sessions.end(person.userId, one.session.id), true);
    assert.equal(await storage.sessions.end(person.userId, one.session.id), false);
    assert.equal(await storage.sessions.endAll(person.userId, three.session.id), 1);
    assert.equal(await storage.sessions.find(two.token, nowMs), null);
    assert.equal((await storage.sessions.list(person.userId)).length, 1);
    await storage.sessions.prune(nowMs, nowMs + 4);
    assert.equal((await storage.sessions.list(person.userId)).length, 1, 'used since');
    await storage.sessions.prune(nowMs + DAY, nowMs - DAY);
    assert.equal((await storage.sessions.list(person.userId)).length, 0, 'expired');
  });

  test('a link works once, for its purpose, until it expires or is replaced', async () => {
    const input = { userId: testEnv.userId, expiresAtMs: nowMs + 10 };
    const token = await storage.accountLinks.create({ ...input, purpose: 'verify_email', email: 'a@b.c' });
    assert.equal(await storage.accountLinks.spend('reset_password', token, nowMs), null);
    assert.equal(await storage.accountLinks.spend('verify_email', token, nowMs + 10), null, 'too late');
    const spent = await Promise.all(
      [1, 2].map(() => storage.accountLinks.spend('verify_email', token, nowMs)),
    );
    assert.equal(spent.filter((link) => link !== null).length, 1, 'one of two concurrent ones');
    assert.equal(spent.find((link) => link !== null)?.email, 'a@b.c');
    const reset = await storage.accountLinks.create({ ...input, purpose: 'reset_password' });
    assert.equal(await storage.accountLinks.newestAtMs(testEnv.userId, 'reset_password'), nowMs);
    assert.equal(await storage.accountLinks.newestAtMs(testEnv.userId, 'verify_email'), null);
    await storage.accountLinks.revoke(testEnv.userId, 'reset_password');
    assert.equal(await storage.accountLinks.spend('reset_password', reset, nowMs), null);
    await storage.accountLinks.create({ ...input, purpose: 'set_up' });
    assert.equal(await storage.accountLinks.prune(nowMs + 10), 1);
  });

  test('a known browser belongs to one person, until it expires', async () => {
    const other = await createTestEnv(storage);
    const token = await storage.knownBrowsers.remember(testEnv.userId, nowMs + 10);
    assert.equal(await storage.knownBrowsers.isKnown(testEnv.userId, token, nowMs), true);
    assert.equal(await storage.knownBrowsers.isKnown(other.userId, token, nowMs), false);
    assert.equal(await storage.knownBrowsers.isKnown(testEnv.userId, token, nowMs + 10), false);
    assert.equal(await storage.knownBrowsers.prune(nowMs + 10), 1);
    const again = await storage.knownBrowsers.remember(testEnv.userId, nowMs + 10);
    await storage.knownBrowsers.forgetAll(testEnv.userId);
    assert.equal(await storage.knownBrowsers.isKnown(testEnv.userId, again, nowMs), false);
  });

  test('a second factor is active once confirmed; no time step and no recovery code works twice', async () => {
    const { userId } = await createTestEnv(storage);
    const { secondFactors } = storage;
    assert.equal(await secondFactors.get(userId), null);
    assert.equal(await secondFactors.begin(userId, 'FIRST'), true);
    assert.equal(await secondFactors.begin(userId, 'SECOND'), true, 'started again');
    assert.deepEqual(await secondFactors.get(userId), { secret: 'SECOND', confirmedAtMs: null });
    assert.equal(await secondFactors.confirm(userId, nowMs), true);
    assert.equal(await secondFactors.confirm(userId, nowMs), false);
    assert.equal(await secondFactors.begin(userId, 'THIRD'), false, 'a confirmed one is not replaced');
    const spent = await Promise.all([7, 7].map((step) => secondFactors.spendStep(userId, step)));
    assert.deepEqual(spent.sort(), [false, true]);
    assert.equal(await secondFactors.spendStep(userId, 6), false, 'nor an earlier step');
    assert.equal(await secondFactors.spendStep(userId, 8), true);
    await secondFactors.setRecoveryCodes(userId, ['AAAA', 'BBBB']);
    assert.equal(await secondFactors.spendRecoveryCode(testEnv.userId, 'AAAA'), false, 'another person’s');
    assert.equal(await secondFactors.spendRecoveryCode(userId, 'AAAA'), true);
    assert.equal(await secondFactors.spendRecoveryCode(userId, 'AAAA'), false);
    assert.equal(await secondFactors.countRecoveryCodes(userId), 1);
    assert.equal(await secondFactors.remove(userId), true);
    assert.equal(await secondFactors.countRecoveryCodes(userId), 0);
    assert.equal(await secondFactors.remove(userId), false);
  });

  test('one open invitation per address; a renewed one has a new token; concurrent acceptances count once', async () => {
    const { organizationId } = await createTestEnv(storage);
    const input = { role: 'member', invitedBy: testEnv.userId, expiresAtMs: nowMs + DAY } as const;
    const { invitation, token } = await storage.invitations.create(organizationId, {
      ...input,
      email: 'Ada@Example.com',
    });
    await assert.rejects(
      storage.invitations.create(organizationId, { ...input, email: 'ada@example.com' }),
      code('conflict'),
    );
    assert.equal(
      (await storage.invitations.findOpenFor(organizationId, 'ADA@example.com'))?.id,
      invitation.id,
    );
    assert.equal((await storage.invitations.findByToken(token))?.id, invitation.id);
    assert.equal(await storage.invitations.renew(testEnv.organizationId, invitation.id, 1), null, 'foreign');
    const renewed = await storage.invitations.renew(organizationId, invitation.id, nowMs + 2 * DAY);
    assert.equal(await storage.invitations.findByToken(token), null);
    assert.equal((await storage.invitations.findByToken(renewed!.token))?.expiresAtMs, nowMs + 2 * DAY);
    const accepted = await Promise.all(
      [1, 2].map(() => storage.invitations.accept(organizationId, invitation.id)),
    );
    assert.deepEqual(accepted.sort(), [false, true]);
    assert.equal(await storage.invitations.revoke(organizationId, invitation.id), false, 'it has expired');
    assert.deepEqual(await storage.invitations.listOpen(organizationId), []);
    const next = await storage.invitations.create(organizationId, { ...input, email: 'ada@example.com' });
    assert.equal(await storage.invitations.revoke(organizationId, next.invitation.id), true);
    assert.equal((await storage.invitations.get(organizationId, next.invitation.id))?.status, 'revoked');
  });

  test('emails are claimed once, encrypted until sent, read only in their scope, listed newest first', async () => {
    const { organizationId } = await createTestEnv(storage);
    const add = (organization: string | null, subject: string) =>
      storage.emails.add({
        organizationId: organization,
        kind: 'invitation',
        to: 'ada@example.com',
        subject,
        text: `secret of ${subject}`,
      });
    const made: Email[] = [];
    for (const subject of ['one', 'two', 'three']) {
      nowMs += 1;
      made.push(await add(organizationId, subject));
    }
    const account = await add(null, 'account');
    const own = { organizationId, withAccounts: false };
    const page = await storage.emails.list(own, { limit: 2 });
    assert.deepEqual(
      page.map(({ subject }) => subject),
      ['three', 'two'],
    );
    assert.deepEqual(
      (await storage.emails.list(own, { limit: 2, before: page[1]!.id })).map(({ subject }) => subject),
      ['one'],
    );
    assert.equal(await storage.emails.get(own, account.id), null);
    assert.equal(
      (await storage.emails.get({ organizationId, withAccounts: true }, account.id))?.text,
      'secret of account',
    );
    const claims = await Promise.all([1, 2].map(() => storage.emails.claim(nowMs, MINUTE, 50)));
    const claimed = claims.flat();
    assert.equal(claimed.length, 4, 'each once');
    assert.ok(claimed.every(({ attempts, text }) => attempts === 1 && text?.startsWith('secret of')));
    assert.deepEqual(await storage.emails.claim(nowMs + MINUTE - 1, MINUTE, 50), [], 'leased');
    const [first, second, third] = made as [Email, Email, Email];
    await storage.emails.markSent(first.id, nowMs);
    await storage.emails.markFailed(second.id, 'no such mailbox', null);
    await storage.emails.markFailed(third.id, 'try later', nowMs + 2 * MINUTE);
    const sent = await storage.emails.get(own, first.id);
    assert.deepEqual([sent?.status, sent?.text, sent?.sentAtMs], ['sent', null, nowMs]);
    const failed = await storage.emails.get(own, second.id);
    assert.deepEqual([failed?.status, failed?.lastError], ['failed', 'no such mailbox']);
    assert.equal(failed?.text, 'secret of two', 'it can be sent again');
    const due = await storage.emails.claim(nowMs + 2 * MINUTE, MINUTE, 50);
    assert.deepEqual(due.map(({ subject }) => subject).sort(), ['account', 'three']);
    assert.equal(
      await storage.emails.retry({ ...own, organizationId: 'org_other' }, second.id, nowMs),
      false,
    );
    assert.equal(await storage.emails.retry(own, second.id, nowMs), true);
    assert.equal(await storage.emails.retry(own, first.id, nowMs), false, 'it was sent');
    assert.equal((await storage.emails.claim(nowMs, MINUTE, 50))[0]?.id, second.id);
    await storage.emails.prune(nowMs + 1);
    assert.deepEqual(await storage.emails.list(own, { limit: 9 }), []);
  });

  test('a directory returns people of its own organization only', async () => {
    const { organizationId, userId } = await createTestEnv(storage);
    const { directory } = storage;
    const { record, token } = await directory.createToken(organizationId, {
      name: 'Okta',
      createdBy: userId,
    });
    assert.match(token, /^svc_scim_/);
    assert.equal((await directory.findToken(token, nowMs))?.id, record.id);
    assert.equal((await directory.listTokens(organizationId))[0]?.lastUsedAtMs, nowMs);
    assert.equal(await directory.findToken('svc_scim_x', nowMs), null);
    const member = await directory.get(organizationId, userId);
    assert.deepEqual([member?.isActive, member?.externalId], [true, null], 'members are listed');
    await directory.describe(organizationId, userId, { externalId: 'x-1', givenName: 'Ada' });
    await directory.describe(organizationId, userId, { familyName: 'Lovelace' });
    const state = await directory.get(organizationId, userId);
    assert.deepEqual([state?.externalId, state?.givenName, state?.familyName], ['x-1', 'Ada', 'Lovelace']);
    assert.equal(await directory.get(testEnv.organizationId, userId), null);
    const find = (filter: { email?: string; externalId?: string }, offset = 0) =>
      directory.list(organizationId, { offset, limit: 5, ...filter });
    assert.equal((await find({ email: state!.email.toUpperCase() })).total, 1);
    assert.equal((await find({ externalId: 'x-1' })).users[0]?.userId, userId);
    assert.equal((await find({ externalId: 'no' })).total, 0);
    assert.deepEqual((await find({}, 1)).users, []);
    const other = await createTestEnv(storage);
    await directory.describe(organizationId, other.userId, { externalId: 'x-2' });
    assert.equal(
      (await directory.get(organizationId, other.userId))?.isActive,
      false,
      'listed, but not a member',
    );
    assert.equal((await find({})).total, 2);
    await directory.forget(organizationId, other.userId);
    assert.equal(await directory.get(organizationId, other.userId), null);
    assert.equal(await directory.removeToken(testEnv.organizationId, record.id), false);
    assert.equal(await directory.removeToken(organizationId, record.id), true);
    assert.equal(await directory.findToken(token, nowMs), null);
  });

  test("stores the addresses allowed for an organization's keys; a transfer changes its owner", async () => {
    const owner = await createTestEnv(storage);
    const next = await createTestEnv(storage);
    assert.deepEqual((await storage.organizations.get(owner.organizationId))?.allowedIps, []);
    await storage.organizations.setAllowedIps(owner.organizationId, ['192.0.2.0/24']);
    assert.deepEqual((await storage.organizations.get(owner.organizationId))?.allowedIps, ['192.0.2.0/24']);
    assert.equal(
      await storage.organizations.transfer(owner.organizationId, next.userId, owner.userId),
      false,
    );
    assert.equal(await storage.organizations.transfer(owner.organizationId, owner.userId, next.userId), true);
    const moved = await storage.organizations.get(owner.organizationId);
    assert.deepEqual([moved?.ownerId, moved?.kind], [next.userId, 'team']);
  });

  test('the operator’s organization is the one created as such, and there is at most one', async () => {
    const { organizations } = storage;
    assert.equal(await organizations.findOperator(), null, 'the oldest one is not');
    const own = { kind: 'team', name: 'Operator', ownerId: testEnv.userId, isOperator: true } as const;
    const made = await organizations.insert(own);
    assert.deepEqual(await organizations.findOperator(), made);
    await assert.rejects(organizations.insert(own));
    assert.deepEqual(await organizations.listExisting([made.id, 'org_none']), [made.id]);
    await storage.deletions.removeOrganization(made.id);
    assert.equal(await organizations.findOperator(), null);
  });

  test('erasing a person deletes all their own data; an owner cannot be erased', async () => {
    const { organizationId, userId: ownerId } = await createTestEnv(storage);
    const { id, email } = await storage.users.insert({ email: 'Gone@example.com' });
    await storage.members.add(organizationId, id, 'member');
    const { token } = await newSession(id, organizationId);
    await storage.secondFactors.begin(id, 'SECRET');
    await storage.secondFactors.setRecoveryCodes(id, ['AAAA']);
    const link = await storage.accountLinks.create({
      purpose: 'verify_email',
      userId: id,
      expiresAtMs: nowMs + DAY,
    });
    await storage.directory.describe(organizationId, id, { givenName: 'Gone' });
    const invited = { role: 'viewer', invitedBy: ownerId, expiresAtMs: nowMs + DAY } as const;
    await storage.invitations.create(organizationId, { ...invited, email: 'gone@EXAMPLE.com' });
    const kept = await storage.invitations.create(organizationId, { ...invited, email: 'kept@example.com' });
    const mail = { organizationId, kind: 'invitation', subject: 'x', text: 'x' } as const;
    await storage.emails.add({ ...mail, to: 'GONE@example.com' });
    const other = await storage.emails.add({ ...mail, to: 'kept@example.com' });

    await storage.invitations.forget(email);
    await storage.emails.forget(email);
    assert.deepEqual(
      (await storage.invitations.listOpen(organizationId)).map((one) => one.id),
      [kept.invitation.id],
    );
    assert.deepEqual(
      (await storage.emails.list({ organizationId, withAccounts: false }, { limit: 9 })).map((one) => one.id),
      [other.id],
    );
    assert.equal(await storage.users.remove(id), true);
    assert.equal(await storage.users.remove(id), false);
    assert.equal(await storage.sessions.find(token, nowMs), null);
    assert.equal(await storage.members.get(organizationId, id), null);
    assert.equal(await storage.secondFactors.get(id), null);
    assert.equal(await storage.accountLinks.spend('verify_email', link, nowMs), null);
    assert.equal(await storage.directory.get(organizationId, id), null);
    await assert.rejects(storage.users.remove(ownerId), (error) => error instanceof StorageError);
    assert.notEqual(await storage.users.get(ownerId), null);

    await storage.invitations.prune(nowMs + DAY);
    assert.equal((await storage.invitations.listOpen(organizationId)).length, 1);
    assert.ok((await storage.invitations.prune(nowMs + DAY + 1)) > 0);
    assert.deepEqual(await storage.invitations.listOpen(organizationId), []);
  });

  test('missing ids return null or do nothing: sessions, links, invitations, factors, emails', async () => {
    const scope = { organizationId: 'org_none', withAccounts: false };
    const { sessions, accountLinks, secondFactors, invitations, directory, singleSignOn, knownBrowsers } =
      storage;
    await assertEmpty({
      session: sessions.find('token', nowMs),
      rotated: sessions.rotate('ses_none', nowMs, nowMs),
      'user of a session': sessions.findUser('ses_none', nowMs),
      ended: sessions.end('usr_none', 'ses_none'),
      link: accountLinks.spend('reset_password', 'token', nowMs),
      'newest link': accountLinks.newestAtMs('usr_none', 'reset_password'),
      factor: secondFactors.get('usr_none'),
      confirmed: secondFactors.confirm('usr_none', nowMs),
      step: secondFactors.spendStep('usr_none', 1),
      code: secondFactors.spendRecoveryCode('usr_none', 'code'),
      'factor removed': secondFactors.remove('usr_none'),
      invitation: invitations.get('org_none', 'inv_none'),
      'open invitation': invitations.findOpenFor('org_none', 'nobody@none.example'),
      'invitation by token': invitations.findByToken('token'),
      accepted: invitations.accept('org_none', 'inv_none'),
      revoked: invitations.revoke('org_none', 'inv_none'),
      'token removed': directory.removeToken('org_none', 'tok_none'),
      token: directory.findToken('token', nowMs),
      'user of a directory': directory.get('org_none', 'usr_none'),
      email: storage.emails.get(scope, 'eml_none'),
      'email again': storage.emails.retry(scope, 'eml_none', nowMs),
      provider: singleSignOn.getProvider('org_none'),
      'provider removed': singleSignOn.removeProvider('org_none'),
      'by domain': singleSignOn.findByDomain('none.example'),
      identity: singleSignOn.findIdentity('https://none.example', 'nobody'),
      identities: singleSignOn.listIdentities('usr_none'),
      'sign-in': singleSignOn.take('state', 'browser', nowMs),
      browser: knownBrowsers.isKnown('usr_none', 'token', nowMs),
    });
  });
});
