import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addPerson, openBrowser, PASSWORD, signInAs, type TestBrowser } from '../support/browser.ts';
import { createTestDatabase, noPostgres, type TestDatabase } from '../support/databases.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { tokenTo } from '../support/outbox.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/smtp.ts';
import { withinASecond } from '../support/within-a-second.ts';

describe('sessions and accounts on two gateways on one PostgreSQL', { skip: noPostgres }, () => {
  let database: TestDatabase;
  let mailServer: MailServer;
  let one: TestGateway;
  let other: TestGateway;
  before(async () => {
    [database, mailServer] = await Promise.all([createTestDatabase(), startMailServer()]);
    const env = {
      DATABASE_URL: database.databaseUrl,
      GATEWAY_MASTER_KEY: '5a'.repeat(32),
      SMTP_URL: mailServer.url,
    };
    one = await startGateway({ env });
    other = await startGateway({ env });
  });
  after(async () => {
    await Promise.all([one?.close(), other?.close()]);
    await Promise.all([database.drop(), mailServer.close()]);
  });

  /** The same browser at the other instance, as behind a load balancer. */
  function at(gateway: TestGateway, browser: TestBrowser): TestBrowser {
    const twin = openBrowser(gateway);
    for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
    twin.csrfToken = browser.csrfToken;
    return twin;
  }

  test('a session is valid on both, and ends on both immediately', async () => {
    const browser = await signInAs(one, 'admin');
    const twin = at(other, browser);
    assert.equal((await twin.whoAmI()).status, 200);
    assert.equal((await twin.call('PATCH', '/account', { name: 'Ada' })).status, 204, 'its CSRF token too');
    assert.equal((await browser.call('DELETE', '/session')).status, 204);
    assert.equal((await twin.whoAmI()).status, 401);
  });

  test('a removed member loses access on the other immediately, their keys within a second', async () => {
    const admin = await signInAs(one, 'admin');
    const leaver = await signInAs(other, 'member');
    const key = await one.addKey({ userId: leaver.userId });
    const ask = async () => (await other.call('GET', '/api/v1/policies', { key: key.plain })).status;
    assert.equal(await ask(), 200, 'the other has it in its cache now');
    assert.equal((await admin.call('DELETE', `/members/${leaver.userId}`)).status, 204);
    assert.equal((await leaver.whoAmI()).body.organization, null);
    assert.equal(await withinASecond(ask, (status) => status === 401), 401);
  });

  test('an invitation accepted on both concurrently adds one member; a link used on both counts once', async () => {
    const admin = await signInAs(one, 'admin');
    const person = await addPerson(one);
    await admin.call('POST', '/invitations', { email: person.email, role: 'viewer' });
    const token = tokenIn(await mailServer.mailTo(person.email));
    const browser = openBrowser(one);
    await browser.signIn(person.email);
    const answers = await Promise.all(
      [browser, at(other, browser)].map((who) => who.call('POST', '/invitation/accept', { token })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
    const members = (await one.storage.members.list(one.account.organizationId)).filter(
      ({ userId }) => userId === person.userId,
    );
    assert.equal(members.length, 1);
  });

  test('a unique name is given once across both, for policies and projects', async () => {
    const admin = await signInAs(one, 'admin');
    const both = [admin, at(other, admin)];
    const policy = { name: 'Everywhere', action: 'block', threat_types: ['jailbreak'] };
    for (const [path, body] of [
      ['/policies', policy],
      ['/projects', { name: 'Everywhere' }],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => both[n % 2]!.call('POST', `${path}?unique_name=true`, body)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 409)], path);
    }
  });

  test('two instances send each email once', async () => {
    const admin = await signInAs(one, 'admin');
    const addresses = Array.from({ length: 20 }, (_, n) => `guest${n}@example.com`);
    await Promise.all(
      addresses.map((email, n) =>
        at(n % 2 === 0 ? one : other, admin).call('POST', '/invitations', { email, role: 'viewer' }),
      ),
    );
    for (const email of addresses) await mailServer.mailTo(email);
    const receivers = mailServer.received.flatMap(({ to }) => to).filter((to) => to.startsWith('guest'));
    assert.deepEqual(receivers.sort(), [...addresses].sort(), 'each once');
  });

  test('a password changed on one ends the sessions on the other', async () => {
    const browser = await signInAs(one, 'viewer');
    const elsewhere = openBrowser(other);
    await elsewhere.signIn(browser.email);
    const changed = await browser.call('POST', '/account/password', {
      current_password: PASSWORD,
      new_password: 'twelve lanterns over water',
    });
    assert.equal(changed.status, 200);
    assert.equal((await elsewhere.whoAmI()).status, 401);
    assert.equal((await at(other, browser).whoAmI()).status, 200);
  });

  test('an address confirmed on both concurrently is confirmed once', async () => {
    const person = await addPerson(one, { isVerified: false });
    await one.storage.members.add(one.account.organizationId, person.userId, 'viewer');
    const browser = openBrowser(one);
    await browser.signIn(person.email);
    await browser.call('POST', '/account/email/resend');
    const token = tokenIn(await mailServer.mailTo(person.email));
    const answers = await Promise.all(
      [browser, at(other, browser)].map((who) => who.call('POST', '/account/email/verify', { token })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 410]);
    await assert.rejects(tokenTo(one, person.email), 'a sent text is not stored');
  });
});

function tokenIn(mail: ReceivedMail): string {
  return /#token=(\w+)/.exec(mail.text)?.[1] ?? assert.fail(mail.text);
}
