import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CSRF_HEADER } from '@csg/shared/contract';
import { addPerson, openBrowser, PASSWORD, signInAs } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('signing in', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  test('returns user, organization and role, and sets a cookie that scripts and other sites cannot use', async () => {
    const person = await addPerson(gateway, { email: 'Ada@example.com' });
    await gateway.storage.members.add(gateway.account.organizationId, person.userId, 'admin');
    const browser = openBrowser(gateway);
    const { status, body, headers } = await browser.signIn(' ada@EXAMPLE.com ');
    assert.equal(status, 200);
    assert.deepEqual(body.user, {
      id: person.userId,
      email: 'Ada@example.com',
      name: null,
      email_verified: true,
      second_factor: false,
    });
    assert.equal(body.organization?.id, gateway.account.organizationId);
    assert.equal(body.organization?.role, 'admin');
    assert.equal(body.organization?.plan, 'enterprise');
    assert.equal(body.organizations.length, 1);
    const cookie = headers.getSetCookie().find((line) => line.startsWith('session=')) ?? '';
    assert.match(
      cookie,
      /^session=[0-9A-Za-z]{43}; Max-Age=604(?:800|7\d\d); Path=\/; HttpOnly; SameSite=Strict$/,
    );
    assert.deepEqual((await browser.whoAmI()).body, body);
  });

  test('gives an unknown address, a wrong password and an account without one the same response', async () => {
    const { email } = await addPerson(gateway);
    const bare = await gateway.storage.users.insert({ email: 'bare@example.com' });
    const answers = await Promise.all([
      openBrowser(gateway).signIn('nobody@example.com'),
      openBrowser(gateway).signIn(email, 'not the password at all'),
      openBrowser(gateway).signIn(bare.email, PASSWORD),
    ]);
    for (const answer of answers) {
      assert.equal(answer.status, 401);
      assert.deepEqual(answer.error, answers[0]?.error);
      assert.equal(answer.error['code'], 'wrong_credentials');
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
  });

  test('signing out ends the session on the server, not only in the browser', async () => {
    const browser = await signInAs(gateway, 'viewer');
    const token = browser.cookies.get('session') as string;
    assert.equal((await browser.call('DELETE', '/session')).status, 204);
    assert.equal(browser.cookies.has('session'), false, 'the cookie is dropped');
    browser.cookies.set('session', token);
    const after = await browser.whoAmI();
    assert.equal(after.status, 401);
    assert.equal(after.error['code'], 'not_signed_in');
  });

  test('a removed member has no access at the next request, and lands in another organization of theirs', async () => {
    const browser = await signInAs(gateway, 'admin');
    await gateway.storage.members.remove(gateway.account.organizationId, browser.userId);
    assert.equal((await browser.whoAmI()).body.organization, null);
    const own = await gateway.storage.organizations.insert({
      kind: 'personal',
      name: 'Own',
      ownerId: browser.userId,
    });
    await gateway.storage.members.add(own.id, browser.userId, 'owner');
    assert.equal((await browser.whoAmI()).body.organization?.id, own.id);
  });

  test('the version is shown to signed-in users only', async () => {
    assert.equal((await openBrowser(gateway).call('GET', '/version')).status, 401);
    const { body } = await (await signInAs(gateway, 'viewer')).call('GET', '/version');
    assert.match(String(body['version']), /^\d+\.\d+\.\d+$/);
    assert.equal(body['environment'], 'production');
    assert.match(String(body['database']), /^(sqlite|postgres)$/);
  });
});

describe('a change that does not come from our own page', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const cases: readonly (readonly [string, Record<string, string>])[] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['no CSRF token', { [CSRF_HEADER]: '' }],
    ['a wrong CSRF token', { [CSRF_HEADER]: 'x'.repeat(43) }],
  ];
  for (const [name, headers] of cases) {
    test(`is rejected: ${name}`, async () => {
      const browser = await signInAs(gateway, 'member');
      const refused = await browser.call('DELETE', '/session', undefined, headers);
      assert.equal(refused.status, 403);
      assert.equal(refused.error['code'], 'foreign_request');
      assert.equal((await browser.whoAmI()).status, 200, 'the session continues');
    });
  }

  test('is rejected by its Origin from an old browser', async () => {
    const ask = (origin: string) =>
      fetch(`${gateway.address}/dashboard/session`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'nobody@example.com', password: 'x' }),
      });
    assert.equal((await ask('https://evil.example')).status, 403);
    assert.equal((await ask('null')).status, 403);
    assert.equal((await ask(gateway.address)).status, 401, 'our own page may try');
  });
});

describe('a session', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  test('ends after eight hours without use, and after seven days in any case', async () => {
    const idle = await signInAs(gateway, 'viewer');
    clock.advance(8 * HOUR - 1);
    assert.equal((await idle.whoAmI()).status, 200);
    clock.advance(8 * HOUR);
    assert.equal((await idle.whoAmI()).status, 401);

    const busy = await signInAs(gateway, 'viewer');
    for (let hours = 7; hours < 7 * 24; hours += 7) {
      clock.advance(7 * HOUR);
      assert.equal((await busy.whoAmI()).status, 200, `after ${hours} hours`);
    }
    clock.advance(7 * HOUR);
    assert.equal((await busy.whoAmI()).status, 401);
  });

  test('gets a new token every hour; requests in progress with the old one are still served', async () => {
    const browser = await signInAs(gateway, 'viewer');
    const first = browser.cookies.get('session') as string;
    clock.advance(HOUR);
    await browser.whoAmI();
    const second = browser.cookies.get('session') as string;
    assert.notEqual(second, first);
    const old = openBrowser(gateway);
    old.cookies.set('session', first);
    assert.equal((await old.whoAmI()).status, 200);
    assert.equal((await browser.whoAmI()).status, 200);
    clock.advance(MINUTE);
    assert.equal((await old.whoAmI()).status, 401, 'the old token is invalid after the new one was used');
    assert.equal((await browser.whoAmI()).status, 200);
  });

  test('survives the loss of a response', async () => {
    const browser = await signInAs(gateway, 'viewer');
    const held = browser.cookies.get('session') as string;
    for (let lost = 0; lost < 3; lost++) {
      clock.advance(HOUR);
      await browser.whoAmI();
      browser.cookies.set('session', held);
    }
    clock.advance(MINUTE);
    assert.equal((await browser.whoAmI()).status, 200);
    assert.notEqual(browser.cookies.get('session'), held, 'it is given another token');
    assert.equal((await browser.whoAmI()).status, 200);
  });
});
