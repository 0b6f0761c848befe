import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SESSION_COOKIE } from '../../apps/cloud/src/plugins/session-cookie.ts';
import { addAccount, type TestAccount } from '../support/accounts.ts';
import { addPerson, openBrowser, signInAs } from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

describe('attacks on people who use the dashboard', () => {
  let gateway: TestGateway;
  let foreign: TestAccount;
  before(async () => {
    gateway = await startGateway();
    foreign = await addAccount(gateway, { plan: 'enterprise' });
  });
  after(() => gateway.close());

  test('clickjacking: no page and no response may be framed', async () => {
    for (const path of ['/dashboard/', '/dashboard/keys', '/dashboard/session', '/docs', '/', '/nowhere']) {
      const { headers } = await fetch(gateway.address + path);
      assert.equal(headers.get('x-frame-options'), 'DENY', path);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
    }
  });

  test('open redirects: no parameter redirects to another site', async () => {
    const browser = await signInAs(gateway, 'member');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const path of [
      '/dashboard',
      '/dashboard/',
      '/dashboard/sign-in',
      '/dashboard//evil.example',
      '//evil.example/..',
    ]) {
      for (const name of ['next', 'url', 'redirect', 'return_to', 'continue']) {
        for (const to of [
          'https://evil.example',
          '//evil.example',
          '/\\evil.example',
          'javascript:alert(1)',
        ]) {
          const address = `${gateway.address}${path}?${name}=${encodeURIComponent(to)}`;
          const { headers } = await fetch(address, { redirect: 'manual', headers: { cookie } });
          const location = headers.get('location');
          if (location === null) continue;
          assert.equal(
            new URL(location, gateway.address).origin,
            gateway.address,
            `${address} → ${location}`,
          );
          assert.ok(!location.startsWith('//'), `${address} → ${location}`);
        }
      }
    }
  });

  test('session fixation: a planted cookie is worthless before and after signing in', async () => {
    const { email } = await addPerson(gateway);
    const attacker = await signInAs(gateway, 'member');
    const name = SESSION_COOKIE;
    const own = attacker.cookies.get(name)!;
    for (const planted of ['0'.repeat(43), own]) {
      const victim = openBrowser(gateway);
      victim.cookies.set(name, planted);
      victim.csrfToken = attacker.csrfToken;
      assert.equal((await victim.signIn(email)).status, 200);
      assert.notEqual(victim.cookies.get(name), planted, 'the planted cookie was kept');
      const thief = openBrowser(gateway);
      thief.cookies.set(name, planted);
      const seen = await thief.whoAmI();
      assert.ok(!JSON.stringify(seen.body).includes(email), 'the planted cookie is the victim’s session');
    }
  });

  test('mass assignment: members that the caller may not set change nothing', async () => {
    const browser = await signInAs(gateway, 'member');
    const before = await gateway.storage.users.get(browser.userId);
    const wishes = {
      role: 'owner',
      organization_id: foreign.organizationId,
      organizationId: foreign.organizationId,
      user_id: foreign.accountId,
      email: 'taken-over@example.com',
      email_verified: true,
      plan: 'enterprise',
      is_active: true,
      id: 'chosen',
      created_at: '2000-01-01T00:00:00Z',
    };
    assert.equal((await browser.call('PATCH', '/account', { name: 'Same', ...wishes })).status, 204);
    const made = await browser.call<{ id: string }>('POST', '/projects', { name: 'Mine', ...wishes });
    const key = await browser.call<{ id: string }>('POST', '/keys', { name: 'Mine', ...wishes });
    assert.deepEqual([made.status, key.status], [200, 200], JSON.stringify([made.error, key.error]));
    assert.notEqual(made.body.id, 'chosen');
    assert.notEqual(key.body.id, 'chosen');
    const after = await gateway.storage.users.get(browser.userId);
    assert.equal(after?.email, before?.email);
    assert.equal(after?.emailVerifiedAtMs, before?.emailVerifiedAtMs);
    const member = await gateway.storage.members.get(gateway.account.organizationId, browser.userId);
    assert.equal(member?.role, 'member');
    assert.equal(await gateway.storage.members.get(foreign.organizationId, browser.userId), null);
    const theirs = await gateway.storage.projects.list(foreign.organizationId);
    assert.ok(!theirs.some(({ name }) => name === 'Mine'), 'a project was created in another organization');
  });
});
