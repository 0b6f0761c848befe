import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addPerson, openBrowser, PASSWORD, signInAs } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';

const MINUTE = 60_000;
const STEP = 30_000;

describe('guessing passwords', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock, env: { AUTH_FAILURE_LIMIT: '30', TRUST_PROXY: 'on' } });
  });
  after(() => gateway.close());

  const guess = (email: string, address: string) =>
    openBrowser(gateway, address).signIn(email, 'a wrong guess');

  test('from one address locks that address out of the account, for a growing time', async () => {
    const { email } = await addPerson(gateway);
    for (const minutes of [1, 2, 4]) {
      for (let n = 0; n < 10; n++) assert.equal((await guess(email, '192.0.2.1')).status, 401, `${n}`);
      const held = await openBrowser(gateway, '192.0.2.1').signIn(email);
      assert.equal(held.status, 429, 'even with the right password');
      assert.equal(held.error['code'], 'rate_limit_exceeded');
      assert.equal(held.error['retry_after'], minutes * 60);
      assert.equal(held.headers.get('retry-after'), String(minutes * 60));
      assert.match(String(held.error['message']), /reset your password by email/);
      assert.equal((await openBrowser(gateway, '192.0.2.2').signIn(email)).status, 200, 'from elsewhere');
      clock.advance(minutes * MINUTE);
    }
    assert.equal((await openBrowser(gateway, '192.0.2.1').signIn(email)).status, 200);
  });

  test('with many concurrent attempts gives no more guesses than one after the other', async () => {
    const { email } = await addPerson(gateway);
    const answers = await Promise.all(Array.from({ length: 40 }, () => guess(email, '192.0.2.3')));
    assert.equal(answers.filter(({ status }) => status === 401).length, 10);
    assert.equal(answers.filter(({ status }) => status === 429).length, 30);
  });

  test('from many addresses does not lock the owner out of a browser they have used', async () => {
    const { email } = await addPerson(gateway);
    const own = openBrowser(gateway, '198.51.100.1');
    assert.equal((await own.signIn(email)).status, 200);
    own.cookies.delete('session');
    for (let n = 0; n < 100; n++) assert.equal((await guess(email, `203.0.113.${n}`)).status, 401, `${n}`);
    assert.equal((await guess(email, '203.0.113.200')).status, 429, 'new addresses are locked out');
    assert.equal(
      (await openBrowser(gateway, '198.51.100.1').signIn(email)).status,
      429,
      'so is a new browser',
    );
    assert.equal((await own.signIn(email)).status, 200, 'the known browser gets in');

    const other = await addPerson(gateway);
    const answer = await own.signIn(other.email, 'a wrong guess');
    assert.equal(answer.status, 401, 'a browser is known for its own user only');
  });

  test('from anywhere in one IPv6 network counts as from one address', async () => {
    const { email } = await addPerson(gateway);
    for (let n = 0; n < 10; n++) assert.equal((await guess(email, `2001:db8:0:7::${n + 1}`)).status, 401);
    assert.equal((await guess(email, '2001:db8:0:7:ffff::1')).status, 429);
    assert.equal((await guess(email, '2001:db8:0:8::1')).status, 401, 'another network');
  });

  test('for an account that does not exist is locked out in the same way', async () => {
    for (let n = 0; n < 10; n++) assert.equal((await guess('no@example.com', '192.0.2.9')).status, 401);
    assert.equal((await guess('no@example.com', '192.0.2.9')).status, 429);
  });

  test('for many accounts from one address locks the address out', async () => {
    for (let n = 0; n < 30; n++) assert.equal((await guess(`a${n}@example.com`, '192.0.2.77')).status, 401);
    assert.equal((await guess('another@example.com', '192.0.2.77')).status, 429);
  });
});

describe('the second factor', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock, env: { AUTH_FAILURE_LIMIT: '30' } });
  });
  after(() => gateway.close());

  /** A user with a confirmed authenticator app. */
  async function withApp() {
    const browser = await signInAs(gateway, 'member');
    const begun = await browser.call<{ secret: string; otpauth_url: string }>(
      'POST',
      '/account/second-factor',
      { current_password: PASSWORD },
    );
    assert.equal(begun.status, 200, JSON.stringify(begun.body));
    const { secret, otpauth_url: url } = begun.body;
    const confirmed = await browser.call<{ recovery_codes: string[] }>(
      'POST',
      '/account/second-factor/confirm',
      { code: oneTimeCode(secret, clock.now()) },
    );
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
    return { browser, secret, url, codes: confirmed.body.recovery_codes };
  }

  test('is set up with the password and a code, ends other sessions, and has a URL that apps read', async () => {
    const browser = await signInAs(gateway, 'member');
    const elsewhere = openBrowser(gateway);
    await elsewhere.signIn(browser.email);
    const wrong = await browser.call('POST', '/account/second-factor', { current_password: 'wrong' });
    assert.equal(wrong.status, 422);
    const { body } = await browser.call<{ secret: string; otpauth_url: string }>(
      'POST',
      '/account/second-factor',
      { current_password: PASSWORD },
    );
    const url = new URL(body.otpauth_url);
    assert.equal(url.protocol, 'otpauth:');
    assert.equal(url.searchParams.get('secret'), body.secret);
    assert.match(decodeURIComponent(url.pathname), new RegExp(`Content Security Gateway:${browser.email}$`));
    assert.equal(
      (await openBrowser(gateway).signIn(browser.email)).status,
      200,
      'not required before it is confirmed',
    );
    const bad = await browser.call('POST', '/account/second-factor/confirm', { code: '000000' });
    assert.equal(bad.error['code'], 'wrong_code');
    const good = await browser.call('POST', '/account/second-factor/confirm', {
      code: oneTimeCode(body.secret, clock.now()),
    });
    assert.equal((good.body['recovery_codes'] as string[]).length, 10);
    assert.equal((await browser.whoAmI()).body.user.second_factor, true);
    assert.equal((await elsewhere.whoAmI()).status, 401, 'other sessions ended');
  });

  test('accepts a code once, also in two concurrent sign-ins, and only around its time', async () => {
    const { browser, secret } = await withApp();
    const response = await openBrowser(gateway).signIn(browser.email);
    assert.equal(response.error['code'], 'second_factor_required');
    assert.deepEqual(response.headers.getSetCookie(), []);
    const replayed = await openBrowser(gateway).signIn(
      browser.email,
      PASSWORD,
      oneTimeCode(secret, clock.now()),
    );
    assert.equal(replayed.error['code'], 'wrong_code', 'the code that confirmed the second factor was used');
    clock.advance(STEP);
    const code = oneTimeCode(secret, clock.now());
    const both = await Promise.all(
      [1, 2].map(() => openBrowser(gateway).signIn(browser.email, PASSWORD, code)),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
    clock.advance(3 * STEP);
    const late = await openBrowser(gateway).signIn(browser.email, PASSWORD, code);
    assert.equal(late.error['code'], 'wrong_code');
    const early = oneTimeCode(secret, clock.now() + STEP);
    assert.equal((await openBrowser(gateway).signIn(browser.email, PASSWORD, early)).status, 200);
    const before = oneTimeCode(secret, clock.now());
    assert.equal(
      (await openBrowser(gateway).signIn(browser.email, PASSWORD, before)).status,
      401,
      'none older than the last code used',
    );
  });

  test('reveals nothing about the code when the password is wrong', async () => {
    const { browser, secret } = await withApp();
    clock.advance(STEP);
    const answer = await openBrowser(gateway).signIn(
      browser.email,
      'not the password',
      oneTimeCode(secret, clock.now()),
    );
    assert.equal(answer.error['code'], 'wrong_credentials');
  });

  test('locks out guesses at codes, and a sign-in without a code does not reset their count', async () => {
    const { browser, secret } = await withApp();
    for (let n = 0; n < 10; n++) {
      assert.equal(
        (await openBrowser(gateway).signIn(browser.email)).error['code'],
        'second_factor_required',
      );
      const guess = await openBrowser(gateway).signIn(browser.email, PASSWORD, String(100_000 + n));
      assert.equal(guess.error['code'], 'wrong_code', `${n}`);
    }
    clock.advance(STEP);
    const held = await openBrowser(gateway).signIn(browser.email, PASSWORD, oneTimeCode(secret, clock.now()));
    assert.equal(held.status, 429);
    clock.advance(10 * MINUTE);
  });

  test('accepts a recovery code once, in any spelling; new codes end the old; removal takes password and code', async () => {
    const { browser, secret, codes } = await withApp();
    const [first, second, third] = codes as [string, string, string];
    assert.match(first, /^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
    const spelled = first.toLowerCase().replace('-', ' ');
    assert.equal((await openBrowser(gateway).signIn(browser.email, PASSWORD, spelled)).status, 200);
    assert.equal((await openBrowser(gateway).signIn(browser.email, PASSWORD, first)).status, 401);
    const state = await browser.call('GET', '/account/second-factor');
    assert.deepEqual(state.body, { enabled: true, recovery_codes_left: 9 });
    clock.advance(STEP);
    const renewed = await browser.call<{ recovery_codes: string[] }>(
      'POST',
      '/account/second-factor/recovery-codes',
      { code: oneTimeCode(secret, clock.now()) },
    );
    assert.equal(renewed.body.recovery_codes.length, 10);
    assert.equal((await openBrowser(gateway).signIn(browser.email, PASSWORD, second)).status, 401);
    const again = await browser.call('POST', '/account/second-factor', { current_password: PASSWORD });
    assert.equal(again.error['code'], 'invalid_state', 'a confirmed second factor is not replaced');
    const remove = (current_password: string, code: string) =>
      browser.call('POST', '/account/second-factor/remove', { current_password, code });
    assert.equal((await remove('wrong', third)).status, 422);
    assert.equal((await remove(PASSWORD, third)).status, 401);
    assert.equal((await remove(PASSWORD, renewed.body.recovery_codes[0] as string)).status, 204);
    assert.equal((await openBrowser(gateway).signIn(browser.email)).status, 200);
    assert.equal((await remove(PASSWORD, third)).error['code'], 'invalid_state');
  });

  test('can be required by an organization, which then shows members without it nothing else', async () => {
    const owner = await signInAs(gateway, 'owner');
    const require = (requires_second_factor: boolean) =>
      owner.call('PATCH', '/organization', { requires_second_factor });
    const early = await require(true);
    assert.equal(early.error['code'], 'invalid_state', 'an owner who requires it must have it');
    const set = async (who: typeof owner) => {
      const begun = await who.call<{ secret: string }>('POST', '/account/second-factor', {
        current_password: PASSWORD,
      });
      const code = oneTimeCode(begun.body.secret, clock.now());
      assert.equal((await who.call('POST', '/account/second-factor/confirm', { code })).status, 200);
    };
    await set(owner);
    assert.equal((await require(true)).body['requires_second_factor'], true);
    const member = await signInAs(gateway, 'admin');
    assert.equal((await member.whoAmI()).body.organization?.second_factor_missing, true);
    for (const [method, path] of [
      ['GET', '/overview'],
      ['GET', '/members'],
      ['POST', '/keys'],
    ] as const) {
      const refused = await member.call(method, path, method === 'GET' ? undefined : { name: 'x' });
      assert.equal(refused.error['code'], 'second_factor_missing', path);
    }
    assert.equal(
      (await member.call('GET', '/account/sessions')).status,
      200,
      'their own account stays accessible',
    );
    await set(member);
    assert.equal((await member.call('GET', '/members')).status, 200);
    assert.equal((await member.whoAmI()).body.organization?.second_factor_missing, false);
    assert.equal((await require(false)).body['requires_second_factor'], false);
    const [row] = (await gateway.storage.audit.page(gateway.account.organizationId)).rows;
    assert.deepEqual(row?.data, { renamed: false, requires_second_factor: false });
  });
});

test('a rejected sign-in is logged with the user id, without the email address and the password', async (t) => {
  const gateway = await startGateway({ env: { LOG_LEVEL: 'warn' } });
  t.after(() => gateway.close());
  const { userId, email } = await addPerson(gateway);
  await openBrowser(gateway).signIn(email, 'a wrong password');
  await openBrowser(gateway).signIn('nobody@example.com', 'a wrong password');
  const lines = gateway.logLines.filter((line) => line.includes('sign-in was refused'));
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ code, user_id }) => [code, user_id]),
    [
      ['wrong_credentials', userId],
      ['wrong_credentials', null],
    ],
  );
  assert.ok(!lines.join('').includes('@') && !lines.join('').includes('a wrong password'));
});
