import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser, signInAs } from '../../support/browser.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('admin create, while the service runs', () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  const create = ['admin', 'create', '--email', 'Ada@Example.com'];

  test('creates an admin, and sets a new password for an existing one', async () => {
    const made = await commands.json([...create, '--password-stdin'], 'correct horse battery\n');
    assert.equal(made['organization_id'], gateway.account.organizationId);
    const { storage, account } = gateway;
    const first = await storage.users.findByEmail('ada@example.com');
    assert.equal(first?.id, made['id']);
    assert.match(first?.passwordHash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal((await storage.members.get(account.organizationId, first?.id as string))?.role, 'admin');
    const browser = openBrowser(gateway);
    assert.equal((await browser.signIn('ada@example.com', 'correct horse battery')).status, 200);
    const again = await commands.json([...create, '--password-stdin'], 'another horse battery');
    assert.equal(again['id'], made['id']);
    const second = await storage.users.findByEmail('ada@example.com');
    assert.notEqual(second?.passwordHash, first?.passwordHash);
    assert.equal((await browser.whoAmI()).status, 401, 'sessions of the old password end');
    const { rows } = await storage.audit.page(account.organizationId, { limit: 3 });
    assert.deepEqual(
      rows.map((row) => row.kind),
      ['admin_changed', 'signed_in', 'admin_created'],
    );
    assert.doesNotMatch(JSON.stringify(rows), /example\.com|horse/i, 'ids only, never names or secrets');
  });

  test('recover ends all sessions, removes the second factor and prints a link to set a password', async () => {
    const browser = await signInAs(gateway, 'member');
    await gateway.storage.secondFactors.begin(browser.userId, 'JBSWY3DPEHPK3PXP');
    await gateway.storage.secondFactors.confirm(browser.userId, 1);
    const result = await commands.json(['admin', 'recover', '--email', browser.email.toUpperCase()]);
    assert.equal(result['id'], browser.userId);
    const [link, token] = String(result['link']).split('#token=');
    assert.match(link ?? '', /^http:\/\/127\.0\.0\.1:\d+\/dashboard\/reset-password$/);
    assert.equal((await browser.whoAmI()).status, 401);
    const password = 'twelve lanterns over water';
    const reset = await openBrowser(gateway).call('POST', '/password/reset', { token, password });
    assert.equal(reset.status, 204);
    assert.equal((await browser.signIn(browser.email, password)).status, 200, 'no code is asked for');
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, {
      kind: 'account_recovered',
    });
    assert.deepEqual(rows[0]?.data, { by: 'operator', second_factor_removed: true });
    await commands.refuse(
      ['admin', 'recover', '--email', 'no@example.com'],
      /No account has the email address/,
    );
  });
});
