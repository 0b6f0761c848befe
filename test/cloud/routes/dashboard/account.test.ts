import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addPerson, openBrowser, PASSWORD, signInAs } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { emailsTo, tokenTo } from '../../../support/outbox.ts';

const MINUTE = 60_000;
const NEW_PASSWORD = 'twelve lanterns over water';

/** The kinds of the audit rows, newest first. */
async function kindsOf({ storage }: TestGateway, organizationId: string): Promise<string[]> {
  return (await storage.audit.page(organizationId, { limit: 200 })).rows.map(({ kind }) => kind);
}

describe('passwords', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  test('are changed with the current one, which ends every other session and renews this one', async () => {
    const browser = await signInAs(gateway, 'member');
    const elsewhere = openBrowser(gateway);
    await elsewhere.signIn(browser.email);
    const change = (current_password: string, new_password: string) =>
      browser.call<{ detail: { loc: string[]; msg: string }[] }>('POST', '/account/password', {
        current_password,
        new_password,
      });
    const wrong = await change('not mine', NEW_PASSWORD);
    assert.equal(wrong.status, 422);
    assert.deepEqual(wrong.body.detail[0]?.loc, ['body', 'current_password']);
    assert.match(wrong.body.detail[0]?.msg ?? '', /not your current password/);
    const weak = await change(PASSWORD, 'short');
    assert.deepEqual(weak.body.detail[0]?.loc, ['body', 'new_password']);

    const token = browser.cookies.get('session');
    const csrf = browser.csrfToken;
    assert.equal((await change(PASSWORD, NEW_PASSWORD)).status, 200);
    assert.notEqual(browser.cookies.get('session'), token, 'a new token');
    assert.notEqual(browser.csrfToken, csrf, 'a new CSRF token');
    assert.equal((await browser.whoAmI()).status, 200);
    assert.equal((await elsewhere.whoAmI()).status, 401);
    assert.equal((await openBrowser(gateway).signIn(browser.email)).status, 401, 'the old password');
    assert.equal((await openBrowser(gateway).signIn(browser.email, NEW_PASSWORD)).status, 200);
    const [notice] = await emailsTo(gateway, browser.email);
    assert.equal(notice?.subject, 'Your password was changed');
    assert.ok((await kindsOf(gateway, gateway.account.organizationId)).includes('password_changed'));
  });

  test('that are forgotten: only a known address gets an email, any gets the same response, few are sent', async () => {
    const browser = await signInAs(gateway, 'viewer');
    const ask = (email: string) => openBrowser(gateway).call('POST', '/password/forgot', { email });
    const known = await ask(browser.email.toUpperCase());
    const unknown = await ask('nobody@example.com');
    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body]);
    assert.equal(known.status, 204);
    assert.equal((await emailsTo(gateway, 'nobody@example.com')).length, 0);
    await ask(browser.email);
    assert.equal((await emailsTo(gateway, browser.email)).length, 1, 'one email in two minutes');
    assert.equal((await ask(browser.email)).status, 429, 'and requests are limited');
    clock.advance(2 * MINUTE);
  });

  test('are reset by the newest link, once, within an hour, which ends every session', async () => {
    const browser = await signInAs(gateway, 'viewer');
    const ask = () => openBrowser(gateway).call('POST', '/password/forgot', { email: browser.email });
    const reset = (token: string, password = NEW_PASSWORD) =>
      openBrowser(gateway).call('POST', '/password/reset', { token, password });
    await ask();
    const first = await tokenTo(gateway, browser.email);
    clock.advance(2 * MINUTE);
    await ask();
    const second = await tokenTo(gateway, browser.email);
    assert.equal((await reset(first)).error['code'], 'link_expired');
    assert.equal((await reset(second, 'too short')).status, 422, 'a weak password does not use up the link');
    const both = await Promise.all([reset(second), reset(second)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [204, 410], 'a double submit');
    assert.equal((await browser.whoAmI()).status, 401);
    assert.equal((await browser.signIn(browser.email)).status, 401);
    assert.equal((await browser.signIn(browser.email, NEW_PASSWORD)).status, 200);

    clock.advance(2 * MINUTE);
    await ask();
    const late = await tokenTo(gateway, browser.email);
    clock.advance(60 * MINUTE);
    assert.equal((await reset(late)).status, 410);
  });

  test('still need the second factor after a reset', async () => {
    const browser = await signInAs(gateway, 'viewer');
    await gateway.storage.secondFactors.begin(browser.userId, 'JBSWY3DPEHPK3PXP');
    await gateway.storage.secondFactors.confirm(browser.userId, 1);
    await openBrowser(gateway).call('POST', '/password/forgot', { email: browser.email });
    const token = await tokenTo(gateway, browser.email);
    await openBrowser(gateway).call('POST', '/password/reset', { token, password: NEW_PASSWORD });
    const answer = await openBrowser(gateway).signIn(browser.email, NEW_PASSWORD);
    assert.equal(answer.error['code'], 'second_factor_required');
  });
});

describe('one’s own account', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  test('lists and ends its own sessions; those of others are a 404', async () => {
    const browser = await signInAs(gateway, 'viewer');
    const elsewhere = openBrowser(gateway);
    await elsewhere.call(
      'POST',
      '/session',
      { email: browser.email, password: PASSWORD },
      { 'user-agent': 'Phone' },
    );
    type Listed = { id: string; is_this: boolean; user_agent: string; address: string }[];
    const { body } = await browser.call<Listed>('GET', '/account/sessions');
    assert.deepEqual(body.map((session) => session.is_this).sort(), [false, true]);
    const other = body.find((session) => !session.is_this);
    assert.equal(other?.user_agent, 'Phone');
    assert.match(other?.address ?? '', /127\.0\.0\.1|::1/);
    const stranger = await signInAs(gateway, 'owner');
    assert.equal((await stranger.call('DELETE', `/account/sessions/${other?.id}`)).status, 404);
    assert.equal((await browser.call('DELETE', `/account/sessions/${other?.id}`)).status, 204);
    assert.equal((await browser.call('DELETE', `/account/sessions/${other?.id}`)).status, 404);
    assert.equal((await elsewhere.whoAmI()).status, 401);
    for (let n = 0; n < 3; n++) await openBrowser(gateway).signIn(browser.email);
    assert.deepEqual((await browser.call('DELETE', '/account/sessions')).body, { ended: 3 });
    assert.equal((await browser.whoAmI()).status, 200);
    assert.equal((await stranger.whoAmI()).status, 200);
  });

  test('has a name that can be changed', async () => {
    const browser = await signInAs(gateway, 'viewer');
    assert.equal((await browser.call('PATCH', '/account', { name: ' Ada Lovelace ' })).status, 204);
    assert.equal((await browser.whoAmI()).body.user.name, 'Ada Lovelace');
    await browser.call('PATCH', '/account', { name: '' });
    assert.equal((await browser.whoAmI()).body.user.name, null);
  });
});

describe('deleting one’s account', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const remove = (browser: { call: ReturnType<typeof openBrowser>['call'] }, current_password = PASSWORD) =>
    browser.call('DELETE', '/account', { current_password });

  test('removes keys, sessions, emails and address; the audit log stays valid and names no person', async () => {
    const { storage, account } = gateway;
    const browser = await signInAs(gateway, 'admin');
    const elsewhere = openBrowser(gateway);
    await elsewhere.signIn(browser.email);
    const key = await gateway.addKey({ userId: browser.userId });
    await openBrowser(gateway).call('POST', '/password/forgot', { email: browser.email });
    assert.equal((await emailsTo(gateway, browser.email)).length, 1);
    assert.equal((await remove(browser, 'wrong')).status, 422);
    assert.equal((await remove(browser)).status, 204);
    assert.equal(browser.cookies.has('session'), false);
    assert.equal((await elsewhere.whoAmI()).status, 401);
    assert.equal((await gateway.call('GET', '/api/v1/policies', { key: key.plain })).status, 401);
    assert.equal((await openBrowser(gateway).signIn(browser.email)).error['code'], 'wrong_credentials');
    assert.equal(await storage.users.get(browser.userId), null);
    assert.equal((await emailsTo(gateway, browser.email)).length, 0);
    assert.equal((await storage.audit.verify(account.organizationId)).valid, true);
    const { rows } = await storage.audit.page(account.organizationId, { limit: 200 });
    assert.ok(rows.some(({ kind, subject }) => kind === 'account_deleted' && subject === browser.userId));
    assert.ok(!JSON.stringify(rows).includes('@'), 'ids only');
    const again = await signInAs(gateway, 'viewer');
    assert.notEqual(again.userId, browser.userId);
  });

  test('is rejected for an owner, who has to transfer the organization first', async () => {
    const owner = await signInAs(gateway, 'owner');
    const refused = await remove(owner);
    assert.equal(refused.error['code'], 'owner_protected');
    assert.equal((await owner.whoAmI()).status, 200);
  });
});

test('no email is sent for the account that is not claimed yet', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  await openBrowser(gateway).call('POST', '/password/forgot', { email: 'operator@localhost' });
  assert.deepEqual(await emailsTo(gateway, 'operator@localhost'), []);
});

describe('signing up', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock, env: { SIGN_UP: 'open' } });
  });
  after(() => gateway.close());

  const signUp = (email: string, password = PASSWORD) =>
    openBrowser(gateway).call('POST', '/sign-up', { email, password });

  test('creates a Free account with an organization and a project; a key needs a confirmed address', async () => {
    assert.deepEqual((await openBrowser(gateway).call('GET', '/sign-in-options')).body, {
      sign_up: 'open',
      mail: 'outbox',
      is_set_up: false,
      sso: 'none',
    });
    assert.equal((await signUp('new@example.com')).status, 204);
    const browser = openBrowser(gateway);
    const { body } = await browser.signIn('new@example.com');
    assert.equal(body.user.email_verified, false);
    assert.equal(body.organization?.kind, 'personal');
    assert.equal(body.organization?.plan, 'free');
    assert.equal(body.organization?.role, 'owner');
    const organizationId = body.organization?.id as string;
    assert.equal((await gateway.storage.projects.list(organizationId)).length, 1);
    const refused = await browser.call('POST', '/keys', { name: 'First' });
    assert.equal(refused.error['code'], 'email_not_verified');

    const token = await tokenTo(gateway, 'new@example.com', organizationId);
    const stranger = await signInAs(gateway, 'viewer');
    const foreign = await stranger.call('POST', '/account/email/verify', { token });
    assert.equal(foreign.status, 410, 'only in a session of its own account');
    assert.equal(
      (await browser.call('POST', '/account/email/verify', { token })).status,
      204,
      'and the link is not used up',
    );
    assert.equal((await browser.call('POST', '/account/email/verify', { token })).status, 410, 'once');
    assert.equal((await browser.whoAmI()).body.user.email_verified, true);
    assert.equal((await browser.call('POST', '/keys', { name: 'First' })).status, 200);
    assert.equal((await browser.call('POST', '/account/email/resend')).error['code'], 'invalid_state');
  });

  test('with a known address changes nothing, gets the same response and notifies the owner', async () => {
    const { email } = await addPerson(gateway);
    assert.equal((await signUp(email, NEW_PASSWORD)).status, 204);
    assert.equal((await openBrowser(gateway).signIn(email, NEW_PASSWORD)).status, 401);
    assert.equal((await openBrowser(gateway).signIn(email)).status, 200);
    assert.equal((await emailsTo(gateway, email))[0]?.subject, 'You already have an account');
  });

  test('does not let the owner of an address confirm it for the account of an attacker', async () => {
    await signUp('victim@example.com');
    clock.advance(2 * MINUTE);
    const attacker = openBrowser(gateway);
    await attacker.signIn('victim@example.com');
    // The victim chooses a password by email instead: sessions of the sign-up end, the address is proven.
    await openBrowser(gateway).call('POST', '/password/forgot', { email: 'victim@example.com' });
    const token = await tokenTo(gateway, 'victim@example.com');
    await openBrowser(gateway).call('POST', '/password/reset', { token, password: NEW_PASSWORD });
    assert.equal((await attacker.whoAmI()).status, 401);
    const victim = openBrowser(gateway);
    assert.equal((await victim.signIn('victim@example.com', NEW_PASSWORD)).body.user.email_verified, true);
  });

  test('allows few emails from one IP address, and strong passwords only', async () => {
    clock.advance(2 * MINUTE);
    assert.equal((await signUp('weak@example.com', 'weak@example.com')).status, 422);
    for (let n = 0; n < 9; n++) assert.equal((await signUp(`many${n}@example.com`)).status, 204);
    const refused = await signUp('many10@example.com');
    assert.equal(refused.error['code'], 'rate_limit_exceeded');
  });

  test('with a change of address: it applies once confirmed, the old one is notified, a taken one never applies', async () => {
    clock.advance(2 * MINUTE);
    const browser = await signInAs(gateway, 'member');
    const ask = (email: string, current_password = PASSWORD) =>
      browser.call('POST', '/account/email', { email, current_password });
    assert.equal((await ask('next@example.com', 'wrong')).status, 422);
    assert.equal((await ask('next@example.com')).status, 204);
    assert.equal((await ask('next@example.com')).status, 429, 'not again within a minute');
    assert.equal((await browser.whoAmI()).body.user.email, browser.email, 'not before');
    const token = await tokenTo(gateway, 'next@example.com');
    assert.equal((await browser.call('POST', '/account/email/verify', { token })).status, 204);
    assert.equal((await browser.whoAmI()).body.user.email, 'next@example.com');
    assert.match(
      (await emailsTo(gateway, browser.email))[0]?.subject ?? '',
      /email address of your account was changed/,
    );

    clock.advance(2 * MINUTE);
    const other = await addPerson(gateway);
    assert.equal((await ask(other.email)).status, 204, 'nothing is revealed before the email is followed');
    const taken = await tokenTo(gateway, other.email);
    assert.equal((await browser.call('POST', '/account/email/verify', { token: taken })).status, 422);
    assert.equal((await browser.whoAmI()).body.user.email, 'next@example.com');
  });
});

test('signing up is rejected if accounts need an invitation', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const refused = await openBrowser(gateway).call('POST', '/sign-up', {
    email: 'new@example.com',
    password: PASSWORD,
  });
  assert.equal(refused.status, 403);
  assert.equal(refused.error['code'], 'sign_up_closed');
});

test('over https the cookies are Secure', async (t) => {
  const gateway = await startGateway({ env: { PUBLIC_URL: 'https://gateway.example.com' } });
  t.after(() => gateway.close());
  const { email } = await addPerson(gateway);
  const answer = await openBrowser(gateway).call(
    'POST',
    '/session',
    { email, password: PASSWORD },
    { origin: 'https://gateway.example.com' },
  );
  const cookies = answer.headers.getSetCookie();
  assert.equal(cookies.length, 2);
  for (const cookie of cookies) {
    assert.match(cookie, /; HttpOnly; Secure; SameSite=Strict/);
    // For this host only: the prefix __Host- cannot say so, as the cookie's name is part of the API.
    assert.doesNotMatch(cookie, /domain=/i);
  }
  assert.match(cookies.find((cookie) => cookie.startsWith('session=')) ?? '', /; Path=\/;/);
});
