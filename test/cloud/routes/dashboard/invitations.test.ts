import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { EmailList, InvitationPreview, InvitationRecord, SessionResponse } from '@csg/shared/contract';
import { addPerson, openBrowser, PASSWORD, signInAs } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { emailsTo, tokenTo } from '../../../support/outbox.ts';
import { startMailServer } from '../../../support/smtp.ts';
import { until } from '../../../support/until.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('invitations', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  const inviteFrom = async (email: string, role = 'member') => {
    const admin = await signInAs(gateway, 'admin');
    const answer = await admin.call<InvitationRecord>('POST', '/invitations', { email, role });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return { admin, invitation: answer.body, token: await tokenTo(gateway, email) };
  };
  const preview = (token: string) =>
    openBrowser(gateway).call<InvitationPreview>('POST', '/invitation', { token });

  test('the email to a new person names organization and role; its link creates an account with a proven address', async () => {
    const { admin, invitation, token } = await inviteFrom('new@example.com', 'viewer');
    const [mail] = await emailsTo(gateway, 'new@example.com');
    assert.match(mail?.text ?? '', /invites you to "My organization" as viewer/);
    assert.deepEqual((await preview(token)).body, {
      organization_name: 'My organization',
      owner_email: 'operator@localhost',
      email: 'new@example.com',
      role: 'viewer',
      has_account: false,
      expires_at: invitation.expires_at,
    });
    const browser = openBrowser(gateway);
    const weak = await browser.call('POST', '/invitation/accept', { token, password: 'new@example.com' });
    assert.equal(weak.status, 422);
    assert.equal((await browser.call('POST', '/invitation/accept', { token })).status, 422, 'no password');
    const both = await Promise.all(
      [browser, openBrowser(gateway)].map((one) =>
        one.call('POST', '/invitation/accept', { token, password: PASSWORD, name: 'Newton' }),
      ),
    );
    assert.equal(both.filter(({ status }) => status === 200).length, 1, 'a double submit counts once');
    assert.ok(both.some(({ status }) => status === 410 || status === 401));
    const who = openBrowser(gateway);
    const { body } = await who.signIn('new@example.com');
    assert.equal(body.organization?.role, 'viewer');
    assert.equal(body.user.email_verified, true);
    assert.equal(body.user.name, 'Newton');
    assert.equal(body.organizations.length, 1, 'no organization of their own if accounts need an invitation');
    assert.equal((await preview(token)).error['code'], 'link_expired', 'the link works once');
    assert.deepEqual((await admin.call('GET', '/invitations')).body, []);
    const kinds = (await gateway.storage.audit.page(gateway.account.organizationId)).rows.map(
      (row) => row.kind,
    );
    assert.ok(kinds.includes('member_added') && kinds.includes('invitation_created'));
  });

  test('a person with an account accepts signed in to it, and no other user can', async () => {
    const person = await addPerson(gateway);
    const { token } = await inviteFrom(person.email.toUpperCase(), 'admin');
    assert.equal((await preview(token)).body.has_account, true);
    const accept = (browser = openBrowser(gateway)) =>
      browser.call<SessionResponse>('POST', '/invitation/accept', { token, password: PASSWORD });
    const signedOut = await accept();
    assert.equal(signedOut.status, 401);
    assert.match(String(signedOut.error['message']), /Sign in to it, then accept/);
    assert.equal((await accept(await signInAs(gateway, 'viewer'))).status, 401, 'another person');
    const own = openBrowser(gateway);
    await own.signIn(person.email);
    const accepted = await accept(own);
    assert.equal(accepted.status, 200);
    assert.equal(accepted.body.organization?.role, 'admin');
    assert.equal(accepted.body.organization?.id, gateway.account.organizationId);
  });

  test('an invitation for a new address cannot be accepted by a user who happens to be signed in', async () => {
    const { token } = await inviteFrom('fresh@example.com');
    const other = await signInAs(gateway, 'viewer');
    const refused = await other.call('POST', '/invitation/accept', { token, password: PASSWORD });
    assert.equal(refused.status, 409);
    assert.match(String(refused.error['message']), /different email address/);
  });

  test('expired, revoked and replaced links are rejected; a new one is sent at most once a minute', async () => {
    const { admin, invitation, token } = await inviteFrom('slow@example.com');
    const again = () => admin.call<InvitationRecord>('POST', `/invitations/${invitation.id}/resend`);
    assert.equal((await again()).status, 429);
    clock.advance(7 * DAY);
    await admin.signIn(admin.email);
    const gone = await preview(token);
    assert.equal(gone.status, 410);
    assert.match(String(gone.error['message']), /has expired. Request a new one/);
    const [listed] = (await admin.call<InvitationRecord[]>('GET', '/invitations')).body;
    assert.equal(listed?.state, 'expired');
    assert.equal((await again()).body.state, 'open');
    const fresh = await tokenTo(gateway, 'slow@example.com');
    assert.notEqual(fresh, token);
    assert.equal((await preview(token)).status, 410, 'the link before');
    assert.equal((await preview(fresh)).status, 200);
    assert.equal((await admin.call('DELETE', `/invitations/${invitation.id}`)).status, 204);
    assert.equal((await preview(fresh)).status, 410);
    for (const answer of [await admin.call('DELETE', `/invitations/${invitation.id}`), await again()]) {
      assert.equal(answer.error['code'], 'invalid_state');
      assert.equal(answer.error['status'], 'revoked');
    }
    assert.equal((await admin.call('DELETE', '/invitations/inv_none')).status, 404);
  });

  test('an address has one open invitation; members are not invited; unverified users cannot invite', async () => {
    const { admin, invitation } = await inviteFrom('once@example.com');
    const twice = await admin.call('POST', '/invitations', { email: 'Once@Example.com', role: 'viewer' });
    assert.equal(twice.error['code'], 'invalid_state');
    assert.equal(twice.error['invitation_id'], invitation.id);
    const member = await admin.call('POST', '/invitations', { email: admin.email, role: 'viewer' });
    assert.match(String(member.error['message']), /already a member/);
    for (const email of ['no address', '@', 'a@b c', '']) {
      assert.equal((await admin.call('POST', '/invitations', { email, role: 'viewer' })).status, 422, email);
    }
    assert.equal(
      (await admin.call('POST', '/invitations', { email: 'x@example.com', role: 'owner' })).status,
      422,
    );
    const unproven = await addPerson(gateway, { isVerified: false });
    await gateway.storage.members.add(gateway.account.organizationId, unproven.userId, 'admin');
    const browser = openBrowser(gateway);
    await browser.signIn(unproven.email);
    const refused = await browser.call('POST', '/invitations', { email: 'y@example.com', role: 'viewer' });
    assert.equal(refused.error['code'], 'email_not_verified');
  });
});

test('inviting and revoking floods no mailbox, and an organization sends sixty emails a minute at most', async (t) => {
  const clock = createManualClock();
  const gateway = await startGateway({ clock });
  t.after(() => gateway.close());
  const admin = await signInAs(gateway, 'admin');
  const invite = (email: string) =>
    admin.call<InvitationRecord>('POST', '/invitations', { email, role: 'viewer' });
  for (let n = 0; n < 2; n++) {
    const { body } = await invite('ada@example.com');
    await admin.call('DELETE', `/invitations/${body.id}`);
  }
  const third = await invite('ada@example.com');
  assert.equal(third.error['code'], 'rate_limit_exceeded');
  assert.equal((await emailsTo(gateway, 'ada@example.com')).length, 2);
  for (let n = 0; n < 57; n++) assert.equal((await invite(`p${n}@example.com`)).status, 200, `${n}`);
  assert.equal((await invite('p57@example.com')).status, 429);
  clock.advance(MINUTE);
  assert.equal((await invite('p57@example.com')).status, 200);
});

describe('emails', () => {
  test('with an email server, an invitation arrives, its link works and its text is not stored', async (t) => {
    const server = await startMailServer();
    const gateway = await startGateway({
      env: { SMTP_URL: server.url, MAIL_FROM: 'Security <security@example.com>' },
    });
    t.after(async () => {
      await gateway.close();
      await server.close();
    });
    const admin = await signInAs(gateway, 'admin');
    await admin.call('POST', '/invitations', { email: 'ada@example.com', role: 'member' });
    await server.waitFor(1);
    const [mail] = server.received;
    assert.equal(mail?.from, 'security@example.com');
    const link = /http\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    assert.ok(link.startsWith(`${gateway.address}/dashboard/invitation#token=`), link);
    const token = link.split('#token=')[1];
    const accepted = await openBrowser(gateway).call('POST', '/invitation/accept', {
      token,
      password: PASSWORD,
    });
    assert.equal(accepted.status, 200);
    const listed = await until(
      async () => (await admin.call<EmailList>('GET', '/mails')).body,
      ({ mails }) => mails[0]?.status === 'sent',
    );
    assert.equal(listed.delivery, 'smtp');
    const read = await admin.call('GET', `/mails/${listed.mails[0]?.id}`);
    assert.equal(read.body['text'], null);
  });

  test('without one, admins read those of their organization, and only the service’s owner those about accounts', async (t) => {
    const gateway = await startGateway({ isOwn: true });
    t.after(() => gateway.close());
    const [owner, admin] = [await signInAs(gateway, 'owner'), await signInAs(gateway, 'admin')];
    const member = await signInAs(gateway, 'member');
    await admin.call('POST', '/invitations', { email: 'ada@example.com', role: 'member' });
    await openBrowser(gateway).call('POST', '/password/forgot', { email: member.email });
    const list = async (who: typeof owner) => (await who.call<EmailList>('GET', '/mails')).body;
    assert.deepEqual(
      (await list(admin)).mails.map(({ kind }) => kind),
      ['invitation'],
    );
    const all = await list(owner);
    assert.equal(all.delivery, 'outbox');
    assert.deepEqual(all.mails.map(({ kind }) => kind).sort(), ['invitation', 'reset_password']);
    const reset = all.mails.find(({ kind }) => kind === 'reset_password');
    assert.equal((await admin.call('GET', `/mails/${reset?.id}`)).status, 404);
    assert.equal((await member.call('GET', '/mails')).status, 403);
    const read = await owner.call('GET', `/mails/${reset?.id}`);
    assert.match(String(read.body['text']), /reset-password#token=/);
    const [row] = (await gateway.storage.audit.page(gateway.account.organizationId)).rows;
    assert.deepEqual([row?.kind, row?.actor], ['mail_read', owner.userId]);
    const retry = await owner.call('POST', `/mails/${reset?.id}/retry`);
    assert.equal(retry.error['code'], 'invalid_state');
  });
});
