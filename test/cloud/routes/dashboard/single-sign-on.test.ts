import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAccount } from '../../../support/accounts.ts';
import { addPerson, openBrowser, PASSWORD, signInAs, type TestBrowser } from '../../../support/browser.ts';
import { type DnsServer, startDnsServer } from '../../../support/dns-server.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  signInAtProvider,
  signInBySso,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../../support/identity-provider.ts';

const person = (email: string, more: object = {}) => ({ email, email_verified: true, ...more });

describe('single sign-on configured by the environment', () => {
  let gateway: TestGateway;
  let identityProvider: TestIdentityProvider;
  before(async () => {
    identityProvider = await startIdentityProvider(() => [`${gateway.address}/dashboard/sso/callback`]);
    gateway = await startGateway({
      isOwn: true,
      env: {
        OIDC_ISSUER: identityProvider.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_ALLOWED_DOMAINS: 'corp.example, second.example',
        OIDC_ROLE_CLAIM: 'gateway_role',
      },
    });
  });
  after(async () => {
    await gateway.close();
    await identityProvider.close();
  });

  test('is offered at sign-in, and sends the browser to the provider with PKCE, state and nonce', async () => {
    const browser = openBrowser(gateway);
    assert.equal((await browser.call('GET', '/sign-in-options')).body['sso'], 'default');
    const started = await browser.call('GET', '/sso/start');
    assert.equal(started.status, 302);
    const url = new URL(started.headers.get('location')!);
    assert.equal(url.origin, identityProvider.issuer);
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
    for (const name of ['code_challenge', 'state', 'nonce']) assert.ok(url.searchParams.get(name), name);
    const cookie = started.headers.getSetCookie().find((line) => line.startsWith('sso_browser='))!;
    assert.match(cookie, /HttpOnly/);
    assert.match(cookie, /SameSite=Lax/);
  });

  test('makes a new person a member in the role of the claim, set again at each sign-in', async () => {
    identityProvider.people.set('ada', person('ada@corp.example', { name: 'Ada', gateway_role: 'admin' }));
    const { browser, answer } = await signInBySso(gateway, identityProvider, 'ada');
    assert.equal(answer.status, 302, JSON.stringify(answer.body));
    assert.equal(answer.headers.get('location'), `${gateway.address}/dashboard/`);
    const { body } = await browser.whoAmI();
    assert.equal(body.user.email, 'ada@corp.example');
    assert.equal(body.user.name, 'Ada');
    assert.equal(body.organization?.role, 'admin');
    assert.equal(body.signed_in_by, 'sso');

    for (const [claim, role] of [
      ['auditor', 'auditor'],
      ['owner', 'viewer'],
      ['member', 'member'],
      [undefined, 'viewer'],
      [['x', 'member'], 'member'],
      ['superuser', 'viewer'],
    ] as const) {
      identityProvider.people.set('ada', person('ada@corp.example', { gateway_role: claim }));
      const again = await signInBySso(gateway, identityProvider, 'ada');
      assert.equal((await again.browser.whoAmI()).body.organization?.role, role, String(claim));
      assert.equal((await again.browser.whoAmI()).body.user.id, body.user.id);
    }
    const rows = (
      await signInAs(gateway, 'owner').then((owner) => owner.call('GET', '/audit-log?only=changes'))
    ).body['rows'] as { kind: string }[];
    assert.ok(rows.some(({ kind }) => kind === 'member_role_changed'));
  });

  test('gives a session for that organization alone, and not for the account', async () => {
    identityProvider.people.set('eve', person('eve@corp.example'));
    const { browser } = await signInBySso(gateway, identityProvider, 'eve');
    const me = (await browser.whoAmI()).body;
    const other = await addAccount(gateway, { plan: 'pro' });
    await gateway.storage.members.add(other.organizationId, me.user.id, 'admin');
    assert.deepEqual(
      (await browser.whoAmI()).body.organizations.map(({ id }) => id),
      [gateway.account.organizationId],
    );
    for (const [method, path, body] of [
      ['POST', '/session/organization', { organization_id: other.organizationId }],
      ['POST', '/organizations', { name: 'Mine' }],
      ['PATCH', '/account', { name: 'Mallory' }],
      ['POST', '/account/password', { current_password: 'x', new_password: PASSWORD }],
      ['DELETE', '/account', { current_password: 'x' }],
      ['GET', '/account/sessions', undefined],
      ['POST', '/account/second-factor', { current_password: 'x' }],
    ] as const) {
      const refused = await browser.call(method, path, body);
      assert.equal(refused.status, 403, `${method} ${path}`);
    }
    assert.equal((await browser.call('GET', '/members')).status, 200);
    await gateway.storage.members.remove(gateway.account.organizationId, me.user.id);
    assert.equal((await browser.call('GET', '/members')).status, 401, 'it ends with the membership');
  });

  test('compares domains exactly, and requires a verified address', async () => {
    for (const [subject, claims] of [
      ['sub', person('a@sub.corp.example')],
      ['suffix', person('a@notcorp.example')],
      ['two', person('a@evil.example@corp.example.evil.example')],
      ['unverified', { email: 'u@corp.example', email_verified: false }],
      ['unsaid', { email: 'v@corp.example' }],
      ['text', { email: 'w@corp.example', email_verified: 'no' }],
      ['none', {}],
      ['long', person(`${'a'.repeat(255 - '@corp.example'.length)}@corp.example`)],
    ] as const) {
      identityProvider.people.set(subject, { ...claims });
      const { browser, answer } = await signInBySso(gateway, identityProvider, subject);
      assert.equal(answer.status, 403, subject);
      assert.equal(answer.error['code'], 'sso_refused', subject);
      assert.equal((await browser.whoAmI()).status, 401, 'no session');
    }
    for (const [subject, email] of [
      ['case', 'Case@SECOND.example'],
      ['longest', `${'a'.repeat(254 - '@corp.example'.length)}@corp.example`],
    ] as const) {
      identityProvider.people.set(subject, person(email));
      assert.equal((await signInBySso(gateway, identityProvider, subject)).answer.status, 302, subject);
    }
  });

  test('links an existing account only after its own sign-in', async () => {
    const known = await addPerson(gateway, { email: 'known@corp.example' });
    await gateway.storage.members.add(gateway.account.organizationId, known.userId, 'member');
    identityProvider.people.set('known', person('known@corp.example', { gateway_role: 'admin' }));
    const refused = await signInBySso(gateway, identityProvider, 'known');
    assert.equal(refused.answer.status, 403);
    assert.match(String(refused.answer.error['message']), /account with this email address already exists/);

    const signedOut = await openBrowser(gateway).call('GET', '/sso/start?link=1');
    assert.equal(signedOut.status, 401);
    const own = openBrowser(gateway);
    await own.signIn(known.email);
    const linked = await signInBySso(gateway, identityProvider, 'known', { browser: own, query: '?link=1' });
    assert.equal(linked.answer.headers.get('location'), `${gateway.address}/dashboard/account`);
    assert.equal((await own.whoAmI()).body.signed_in_by, 'password', 'the session is still one by password');
    assert.equal((await own.call<unknown[]>('GET', '/account/identities')).body.length, 1);

    const { browser } = await signInBySso(gateway, identityProvider, 'known');
    const me = (await browser.whoAmI()).body;
    assert.equal(me.user.id, known.userId);
    assert.equal(me.organization?.role, 'admin');
    assert.equal(
      (await browser.call('GET', '/sso/start?link=1')).status,
      403,
      'not by single sign-on itself',
    );

    const thief = await signInAs(gateway, 'member');
    const stolen = await signInBySso(gateway, identityProvider, 'known', {
      browser: thief,
      query: '?link=1',
    });
    assert.equal(stolen.answer.status, 403, 'an identity has one account');
  });

  test('never changes an owner by the claim, and rejects another subject with a known address', async () => {
    const owner = await signInAs(gateway, 'owner');
    identityProvider.people.set('boss', person('boss@corp.example', { gateway_role: 'viewer' }));
    await signInBySso(gateway, identityProvider, 'boss', { browser: owner, query: '?link=1' });
    const { browser } = await signInBySso(gateway, identityProvider, 'boss');
    assert.equal((await browser.whoAmI()).body.organization?.role, 'owner');
    identityProvider.people.set('reused', person('ada@corp.example'));
    assert.equal((await signInBySso(gateway, identityProvider, 'reused')).answer.status, 403);
  });

  test('accepts a callback once, and only in the browser that began', async () => {
    identityProvider.people.set('bob', person('bob@corp.example'));
    identityProvider.subject = 'bob';
    const begin = async (browser: TestBrowser) => {
      const started = await browser.call('GET', '/sso/start');
      const back = await signInAtProvider(identityProvider, started.headers.get('location')!);
      return back.slice(back.indexOf('/sso/callback'));
    };
    const browser = openBrowser(gateway);
    const victim = openBrowser(gateway);
    await begin(victim);
    const planted = await victim.call('GET', await begin(browser));
    assert.equal(planted.status, 403, 'a link of another browser');
    const path = await begin(browser);
    assert.equal((await browser.call('GET', path)).status, 302);
    assert.equal((await browser.call('GET', path)).status, 403, 'second time');
    const mixed = new URL(await begin(browser), 'http://x');
    mixed.searchParams.set('iss', 'http://127.0.0.1:1');
    assert.equal((await browser.call('GET', `${mixed.pathname}${mixed.search}`)).status, 403, 'mix-up');
    const denied = await browser.call('GET', '/sso/start');
    const { searchParams } = new URL(denied.headers.get('location')!);
    const cancelled = await browser.call(
      'GET',
      `/sso/callback?error=access_denied&iss=${encodeURIComponent(identityProvider.issuer)}&state=${searchParams.get('state')}`,
    );
    assert.equal(cancelled.status, 403, 'denied at the provider');
    const page = await browser.call('GET', '/sso/callback', undefined, { accept: 'text/html' });
    assert.equal(page.status, 403);
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.match(String(page.body), /Back to sign-in/);
  });

  test('is a 503 if the provider is down, and passwords still work', async () => {
    identityProvider.override = (_request, response) => response.socket?.destroy();
    const down = await openBrowser(gateway).call('GET', '/sso/start');
    assert.equal(down.status, 503);
    assert.equal(down.error['code'], 'sso_unavailable');
    identityProvider.override = null;

    const browser = openBrowser(gateway);
    const started = await browser.call('GET', '/sso/start');
    const back = await signInAtProvider(identityProvider, started.headers.get('location')!);
    identityProvider.override = (_request, response) => response.writeHead(500).end();
    const late = await browser.call('GET', back.slice(back.indexOf('/sso/callback')));
    assert.equal(late.status, 503);
    identityProvider.override = (_request, response) => {
      const issuer = 'https://accounts.example.com';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }));
    };
    assert.equal((await browser.call('GET', '/sso/start')).status, 503, 'its issuer is another one');
    const member = await signInAs(gateway, 'member');
    assert.equal((await member.whoAmI()).status, 200);
    identityProvider.override = null;
  });

  test('rejects a user whom a directory has deactivated, and accepts one whom it created', async () => {
    const owner = await signInAs(gateway, 'owner');
    const { token } = (await owner.call('POST', '/directory-tokens', { name: 'Directory' })).body;
    const scim = (method: string, path: string, body: object) =>
      fetch(`${gateway.address}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        body: JSON.stringify(body),
      });
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
    const made = (await (await scim('POST', '/Users', { schemas, userName: 'dir@corp.example' })).json()) as {
      id: string;
    };
    identityProvider.people.set('dir', person('dir@corp.example', { gateway_role: 'member' }));
    const { browser, answer } = await signInBySso(gateway, identityProvider, 'dir');
    assert.equal(answer.status, 302, JSON.stringify(answer.body));
    assert.equal((await browser.whoAmI()).body.user.id, made.id);
    await scim('PATCH', `/Users/${made.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    });
    assert.equal((await browser.whoAmI()).status, 401);
    assert.equal((await signInBySso(gateway, identityProvider, 'dir')).answer.status, 403);
  });

  test('with sso_only is the only way in for members, and the owner keeps the password', async () => {
    const owner = await signInAs(gateway, 'owner');
    const member = await signInAs(gateway, 'member');
    const admin = await signInAs(gateway, 'admin');
    assert.equal((await admin.call('PATCH', '/organization', { sso_only: true })).status, 409);
    const on = await owner.call('PATCH', '/organization', { sso_only: true });
    assert.equal(on.status, 200);
    assert.equal(on.body['sso_only'], true);
    assert.equal((await member.call('GET', '/members')).error['code'], 'sso_required');
    assert.equal((await member.whoAmI()).body.organization?.sso_missing, true);
    const again = await openBrowser(gateway).signIn(member.email);
    assert.equal(again.status, 403);
    assert.equal((await openBrowser(gateway).signIn(owner.email)).status, 200);
    const { browser } = await signInBySso(gateway, identityProvider, 'ada');
    assert.equal((await browser.call('GET', '/members')).status, 200);
    await owner.call('PATCH', '/organization', { sso_only: false });
  });

  test('is shown on the settings page, and cannot be changed there', async () => {
    const owner = await signInAs(gateway, 'owner');
    const { body } = await owner.call('GET', '/organization/sso');
    assert.equal(body['source'], 'environment');
    assert.ok(!JSON.stringify(body).includes(CLIENT_SECRET));
    const refused = await owner.call('PUT', '/organization/sso', {
      issuer: 'https://login.example.com',
      client_id: 'x',
      domains: ['corp.example'],
    });
    assert.equal(refused.status, 409);
    assert.equal((await owner.call('DELETE', '/organization/sso')).status, 409);
  });
});

describe('single sign-on of an organization', () => {
  let gateway: TestGateway;
  let identityProvider: TestIdentityProvider;
  let dns: DnsServer;
  before(async () => {
    dns = await startDnsServer();
    identityProvider = await startIdentityProvider(() => [`${gateway.address}/dashboard/sso/callback`]);
    gateway = await startGateway({ isOwn: true, env: { SSO_DNS_SERVERS: dns.address } });
  });
  after(async () => {
    await gateway.close();
    await identityProvider.close();
    await dns.close();
  });
  const settings = () => ({
    issuer: identityProvider.issuer,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    domains: ['Team.example'],
  });

  test('accepts only domains that a DNS record proves, and then signs their people in', async () => {
    const admin = await signInAs(gateway, 'admin');
    assert.equal((await openBrowser(gateway).call('GET', '/sign-in-options')).body['sso'], 'none');
    const unproven = await admin.call('PUT', '/organization/sso', settings());
    assert.equal(unproven.status, 422);
    const [issue] = unproven.body['detail'] as { ctx: { record_name: string; record_value: string } }[];
    assert.equal(issue!.ctx.record_name, '_csg-verification.team.example');
    dns.txt.set(issue!.ctx.record_name, 'csg-domain-verification=of-somebody-else');
    assert.equal((await admin.call('PUT', '/organization/sso', settings())).status, 422);
    dns.txt.set(issue!.ctx.record_name, issue!.ctx.record_value);
    const saved = await admin.call('PUT', '/organization/sso', settings());
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.deepEqual(saved.body['domains'], ['team.example']);
    assert.ok(!JSON.stringify(saved.body).includes(CLIENT_SECRET));

    assert.equal((await openBrowser(gateway).call('GET', '/sign-in-options')).body['sso'], 'by_email');
    identityProvider.people.set('gil', person('gil@team.example'));
    for (const query of [
      `?organization=${gateway.account.organizationId}`,
      '?email=somebody%40team.example',
    ]) {
      const { browser, answer } = await signInBySso(gateway, identityProvider, 'gil', { query });
      assert.equal(answer.status, 302, JSON.stringify(answer.body));
      assert.equal((await browser.whoAmI()).body.organization?.role, 'viewer');
    }
    assert.equal((await openBrowser(gateway).call('GET', '/sso/start')).status, 404);
    assert.equal((await openBrowser(gateway).call('GET', '/sso/start?email=a@other.example')).status, 404);
  });

  test('leaves roles to the members page without a claim, and keeps a secret that a form leaves out', async () => {
    const admin = await signInAs(gateway, 'admin');
    const { client_secret: _, ...rest } = settings();
    const kept = await admin.call('PUT', '/organization/sso', rest);
    assert.equal(kept.body['has_client_secret'], true);
    const first = await signInBySso(gateway, identityProvider, 'gil', { query: '?email=a@team.example' });
    const { id } = (await first.browser.whoAmI()).body.user;
    await admin.call('PATCH', `/members/${id}`, { role: 'member' });
    const { browser } = await signInBySso(gateway, identityProvider, 'gil', {
      query: '?email=a@team.example',
    });
    assert.equal((await browser.whoAmI()).body.organization?.role, 'member');
    const moved = await admin.call('PUT', '/organization/sso', { ...rest, client_id: 'another' });
    assert.equal(moved.body['has_client_secret'], false, 'a secret belongs to one client');
    assert.equal((await browser.whoAmI()).status, 401, 'sessions of the former client end');
  });

  test('rejects addresses of an inner network for another organization', async () => {
    const account = await addAccount(gateway, { plan: 'enterprise' });
    const owner = await signInAs(gateway, 'owner', account.organizationId);
    for (const issuer of [
      identityProvider.issuer,
      'http://login.example.com',
      'https://10.0.0.1',
      'https://login.example.com/?x=1',
      'ftp://x',
    ]) {
      const refused = await owner.call('PUT', '/organization/sso', { ...settings(), issuer });
      assert.equal(refused.status, 422, issuer);
      const [issue] = refused.body['detail'] as { loc: unknown[] }[];
      assert.deepEqual(issue!.loc, ['body', 'issuer'], issuer);
    }
    // The record of one organization proves nothing for another.
    const taken = await owner.call('PUT', '/organization/sso', {
      ...settings(),
      issuer: 'https://203.0.113.7',
    });
    assert.equal(taken.status, 422);
  });

  test('is removed with its sessions and the rule that requires it', async () => {
    const owner = await signInAs(gateway, 'owner');
    await owner.call('PUT', '/organization/sso', settings());
    const { browser } = await signInBySso(gateway, identityProvider, 'gil', {
      query: '?email=a@team.example',
    });
    await owner.call('PATCH', '/organization', { sso_only: true });
    assert.equal((await owner.call('DELETE', '/organization/sso')).status, 204);
    assert.equal((await browser.whoAmI()).status, 401);
    assert.equal((await owner.call('GET', '/organization')).body['sso_only'], false);
    assert.equal((await owner.call('PATCH', '/organization', { sso_only: true })).status, 409);
    assert.equal((await owner.call('DELETE', '/organization/sso')).status, 404);
  });
});
