import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OwnInvitationRecord, SCIM, SCIM_TYPE, type ScimUser } from '@csg/shared/contract';
import { addAccount, type TestAccount } from '../../../support/accounts.ts';
import { onBothDatabases } from '../../../support/both-databases.ts';
import {
  addPerson,
  openBrowser,
  PASSWORD,
  type Person,
  signInAs,
  type TestBrowser,
} from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import type { TestGateway } from '../../../support/gateway.ts';
import { emailsTo, tokenTo } from '../../../support/outbox.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

onBothDatabases('a directory and people who have accounts', (start) => {
  const clock = createManualClock();
  let gateway: TestGateway;
  /** A person's Free organization, under the default name. */
  let stranger: TestAccount;
  let admin: TestBrowser;
  let token: string;
  before(async () => {
    gateway = await start({ clock, env: { SIGN_UP: 'open' } });
    stranger = await addAccount(gateway, { plan: 'free' });
    admin = await signInAs(gateway, 'owner', stranger.organizationId);
    await gateway.storage.organizations.rename(stranger.organizationId, 'My organization');
    token = (await admin.call<{ token: string }>('POST', '/directory-tokens', { name: 'x' })).body.token;
  });
  after(() => gateway.close());

  async function scim(method: string, path: string, body?: object) {
    const response = await fetch(`${gateway.address}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': SCIM_TYPE },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as ScimUser };
  }
  const create = (userName: string, more: object = {}) =>
    scim('POST', '/Users', { schemas: [SCIM.user], userName, ...more });
  const setActive = (id: string, value: boolean) =>
    scim('PATCH', `/Users/${id}`, {
      schemas: [SCIM.patch],
      Operations: [{ op: 'replace', path: 'active', value }],
    });
  const isMember = async (userId: string) =>
    (await gateway.storage.members.get(stranger.organizationId, userId)) !== null;
  const mails = (email: string) => emailsTo(gateway, email, stranger.organizationId);
  const invitations = (browser: TestBrowser) =>
    browser.call<OwnInvitationRecord[]>('GET', '/account/invitations');

  /** A person who signed up, with an organization and a session of their own. */
  async function addVictim(): Promise<Person & { browser: TestBrowser; ownId: string }> {
    const person = await addPerson(gateway);
    const own = await gateway.storage.organizations.insert({
      kind: 'personal',
      name: 'My organization',
      ownerId: person.userId,
    });
    await gateway.storage.members.add(own.id, person.userId, 'owner');
    const browser = openBrowser(gateway);
    await browser.signIn(person.email);
    return { ...person, browser, ownId: own.id };
  }
  const signInOf = async (email: string) => (await openBrowser(gateway).signIn(email)).body;

  test('"Directory-sync": an address that has an account is 201 and inactive; only the person makes it active', async () => {
    const victim = await addVictim();
    const made = await create(victim.email, { active: true });
    assert.equal(made.status, 201);
    assert.equal(made.body.active, false);
    for (const answer of [
      await scim('GET', `/Users/${victim.userId}`),
      await setActive(victim.userId, true),
      await scim('PUT', `/Users/${victim.userId}`, { userName: victim.email, active: true }),
    ]) {
      assert.deepEqual([answer.status, answer.body.active], [200, false]);
    }
    assert.equal((await create(victim.email)).status, 409);
    const { organization, organizations } = await signInOf(victim.email);
    assert.equal(organization?.id, victim.ownId);
    assert.deepEqual(
      organizations.map(({ id }) => id),
      [victim.ownId],
    );
    const reset = await openBrowser(gateway).call('POST', '/password/forgot', { email: victim.email });
    assert.equal(reset.status, 204);
    assert.equal(await isMember(victim.userId), false);
    assert.equal((await scim('GET', `/Users/${victim.userId}`)).body.active, false);
  });

  test('people accept by the link in the email, signed in; others with the link cannot', async () => {
    const victim = await addVictim();
    await create(victim.email);
    const [mail] = await mails(victim.email);
    assert.match(mail?.subject ?? '', /invited/);
    const owner = (await gateway.storage.users.get(stranger.accountId))!;
    assert.ok(mail?.text?.includes(owner.email), 'the one who invites is named by address');
    const link = await tokenTo(gateway, victim.email, stranger.organizationId);
    const accept = (browser: TestBrowser) => browser.call('POST', '/invitation/accept', { token: link });
    assert.equal((await accept(openBrowser(gateway))).status, 401);
    assert.equal((await accept(admin)).status, 401);
    assert.equal(await isMember(victim.userId), false);
    assert.equal((await accept(victim.browser)).status, 200);
    assert.equal((await scim('GET', `/Users/${victim.userId}`)).body.active, true);
    assert.equal((await accept(victim.browser)).status, 410);
  });

  test('people accept or decline at the dashboard; their next sign-in is still in their own organization', async () => {
    const victim = await addVictim();
    await create(victim.email);
    const [invitation] = (await invitations(victim.browser)).body;
    const owner = (await gateway.storage.users.get(stranger.accountId))!;
    assert.deepEqual(
      [invitation?.organization_name, invitation?.owner_email, invitation?.role, invitation?.invited_by],
      ['My organization', owner.email, 'member', null],
    );
    const other = await addVictim();
    assert.deepEqual((await invitations(other.browser)).body, [], 'those of others are not shown');
    for (const [method, tail] of [
      ['POST', '/accept'],
      ['DELETE', ''],
    ] as const) {
      const refused = await other.browser.call(method, `/account/invitations/${invitation?.id}${tail}`);
      assert.equal(refused.status, 404);
    }
    const path = `/account/invitations/${invitation?.id}`;
    const accepted = await victim.browser.call('POST', `${path}/accept`);
    assert.equal(accepted.status, 200);
    assert.equal((await victim.browser.whoAmI()).body.organization?.id, stranger.organizationId);
    assert.equal((await scim('GET', `/Users/${victim.userId}`)).body.active, true);
    const again = await signInOf(victim.email);
    assert.equal(again.organization?.id, victim.ownId);
    assert.deepEqual(
      again.organizations.map(({ name, owner_email }) => [name, owner_email]).sort(),
      [
        ['My organization', owner.email],
        ['My organization', victim.email],
      ].sort(),
      'two of one name are distinguished',
    );
    await victim.browser.call('POST', '/session/organization', { organization_id: stranger.organizationId });
    assert.equal(
      (await signInOf(victim.email)).organization?.id,
      stranger.organizationId,
      'chosen by themselves',
    );

    await create(other.email);
    const [declined] = (await invitations(other.browser)).body;
    assert.equal((await other.browser.call('DELETE', `/account/invitations/${declined?.id}`)).status, 204);
    assert.deepEqual((await invitations(other.browser)).body, []);
    assert.equal(await isMember(other.userId), false);
    const { rows } = await gateway.storage.audit.page(stranger.organizationId, {
      kind: 'invitation_declined',
    });
    assert.deepEqual([rows[0]?.actor, rows[0]?.subject], [other.userId, declined?.id]);
  });

  test('an address that is not confirmed shows no invitation, as any person could have signed up with it', async () => {
    const person = await addPerson(gateway, { isVerified: false });
    await create(person.email);
    const [open] = await gateway.storage.invitations.listOpenTo(person.email);
    const browser = openBrowser(gateway);
    await browser.signIn(person.email);
    assert.deepEqual((await invitations(browser)).body, []);
    assert.equal((await browser.call('POST', `/account/invitations/${open?.id}/accept`)).status, 404);
  });

  test('an invitation ends if the directory removes or deactivates the person before they accept', async () => {
    for (const end of [
      (id: string) => scim('DELETE', `/Users/${id}`),
      (id: string) => setActive(id, false),
      (id: string, userName: string) => scim('PUT', `/Users/${id}`, { userName, active: false }),
    ]) {
      const victim = await addVictim();
      await create(victim.email);
      const link = await tokenTo(gateway, victim.email, stranger.organizationId);
      assert.ok((await end(victim.userId, victim.email)).status < 300);
      assert.deepEqual((await invitations(victim.browser)).body, []);
      assert.equal((await victim.browser.call('POST', '/invitation/accept', { token: link })).status, 410);
      assert.equal(await isMember(victim.userId), false);
    }
  });

  test('an acceptance while the directory deactivates the person leaves no member', async () => {
    for (let round = 0; round < 5; round++) {
      const victim = await addVictim();
      await create(victim.email);
      const [open] = (await invitations(victim.browser)).body;
      const [accepted, removed] = await Promise.all([
        victim.browser.call('POST', `/account/invitations/${open?.id}/accept`),
        setActive(victim.userId, false),
      ]);
      assert.ok([200, 404, 410].includes(accepted.status), `${accepted.status}`);
      assert.equal(removed.status, 200);
      assert.equal(await isMember(victim.userId), false, `round ${round}: removed last, or never joined`);
      assert.equal(removed.body.active, false);
    }
  });

  test('repeated activation sends one email, and another once the invitation has expired', async () => {
    const victim = await addVictim();
    await create(victim.email, { active: false });
    assert.equal((await mails(victim.email)).length, 0);
    for (let n = 0; n < 4; n++) assert.equal((await setActive(victim.userId, true)).status, 200);
    assert.equal((await mails(victim.email)).length, 1);
    clock.advance(7 * DAY);
    assert.equal((await setActive(victim.userId, true)).body.active, false);
    assert.equal((await mails(victim.email)).length, 2);
    await victim.browser.signIn(victim.email);
    assert.equal((await invitations(victim.browser)).body.length, 1);
  });

  test('a person who had accepted and was deactivated has to accept again', async () => {
    const victim = await addVictim();
    await create(victim.email);
    const [open] = (await invitations(victim.browser)).body;
    await victim.browser.call('POST', `/account/invitations/${open?.id}/accept`);
    assert.equal((await setActive(victim.userId, false)).body.active, false);
    assert.equal((await setActive(victim.userId, true)).body.active, false);
    assert.equal(await isMember(victim.userId), false);
  });

  test('an account that another directory created counts as one that exists', async () => {
    const first = await create('fresh@example.com');
    assert.equal(first.body.active, true, 'not claimed yet: a member as provisioned');
    const host = await addAccount(gateway, { plan: 'pro' });
    const { record: __, token: otherToken } = await gateway.storage.directory.createToken(
      host.organizationId,
      {
        name: 'y',
        createdBy: host.accountId,
      },
    );
    const mine = token;
    token = otherToken;
    const second = await create('fresh@example.com');
    assert.deepEqual([second.status, second.body.active], [201, false]);
    assert.equal((await setActive(second.body.id, true)).body.active, false);
    token = mine;
  });

  test('a person provisioned before they signed up lands in an organization of their own', async () => {
    const email = 'early@example.com';
    const { body } = await create(email);
    assert.equal(body.active, true);
    assert.equal(
      (await openBrowser(gateway).call('POST', '/sign-up', { email, password: PASSWORD })).status,
      204,
    );
    clock.advance(MINUTE);
    await openBrowser(gateway).call('POST', '/password/forgot', { email });
    const link = await tokenTo(gateway, email);
    const reset = await openBrowser(gateway).call('POST', '/password/reset', {
      token: link,
      password: PASSWORD,
    });
    assert.equal(reset.status, 204);
    const session = await signInOf(email);
    assert.equal(session.organization?.role, 'owner');
    assert.notEqual(session.organization?.id, stranger.organizationId);
    await setActive(body.id, false);
    assert.equal((await setActive(body.id, true)).body.active, false, 'it is a person’s account now');
  });

  test('the response has the same form whether or not the address had an account', async () => {
    const [known, unknown] = [await addVictim(), 'never-seen@example.com'];
    const [one, other] = [await create(known.email), await create(unknown)];
    assert.deepEqual(Object.keys(one.body).sort(), Object.keys(other.body).sort());
    assert.equal(one.body.userName, known.email);
    assert.equal(one.status, other.status);
  });
});
