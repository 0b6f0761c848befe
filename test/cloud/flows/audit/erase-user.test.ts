import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { eraseUser } from '../../../../apps/cloud/src/flows/audit/erase-user.ts';
import { addMember, addOrganization } from '../../../support/accounts.ts';
import { openBrowser, PASSWORD, signInAs } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { type CommandLine, commandLine } from '../../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

describe('an erased user', () => {
  const clock = createManualClock(Date.now());
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    // Every table is searched from outside, so this is SQLite in every run.
    gateway = await startGateway({ clock, env: { DATABASE_URL: '' } });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  /** Everything that is stored, as text. */
  function everything(): string {
    const database = new Database(`${gateway.dataDir}/gateway.sqlite`, { readonly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
      name: string;
    }[];
    const text = tables
      .flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all())
      .map((row) => JSON.stringify(row))
      .join('\n');
    database.close();
    return text;
  }

  test('appears in no table, has no access, and leaves the audit chains valid', async () => {
    const { storage, account } = gateway;
    const { organizationId, projectId } = account;
    const member = await addMember(gateway, account, 'member');
    const email = 'Ana.Lopez@erase-me.example';
    await storage.users.update(member.userId, { email, name: 'Ana Lopez' });
    const own = await storage.organizations.insert({
      kind: 'personal',
      name: 'Ana Lopez',
      ownerId: member.userId,
    });
    await storage.members.add(own.id, member.userId, 'owner');
    const admin = await signInAs(gateway, 'owner');
    await admin.call('POST', '/invitations', { email: 'ana.lopez@erase-me.example', role: 'member' });
    await storage.emails.add({ organizationId, kind: 'invitation', to: email, subject: 'Join', text: 'Ana' });
    const { token } = await storage.enrollments.create(organizationId, {
      projectId,
      createdBy: member.userId,
    });
    await gateway.call('POST', '/api/v1/enroll', {
      key: null,
      body: { token, device_name: 'Ana Lopez Laptop', platform: 'linux', end_user_id: 'ana.lopez' },
    });
    const requested = await gateway.call('POST', '/api/v1/exceptions', {
      key: member.key,
      body: { destination_host: 'chat.example.com', justification: 'Ana Lopez asks for it.' },
    });
    const { id } = (await requested.json()) as { id: string };
    assert.match(everything(), /Ana|ana\.lopez/i);

    const erased = await commands.json(['admin', 'erase', '--email', 'ana.lopez@erase-me.example']);
    assert.equal(erased['id'], member.userId);
    assert.deepEqual(everything().match(/.{0,40}(?:ana[ .]lopez|erase-me).{0,40}/gi), null);
    assert.equal((await openBrowser(gateway).signIn(email, PASSWORD)).status, 401);
    const scan = () =>
      gateway.call('POST', '/api/v1/security/scan', { key: member.key, body: { content: 'hello' } });
    clock.advance(1_000);
    assert.equal((await scan()).status, 401, 'a second after the command, which another process runs');
    assert.equal((await storage.requests.get(organizationId, id, 'exception'))?.justification, null);
    for (const organization of [organizationId, own.id]) {
      assert.equal((await storage.audit.verify(organization)).valid, true);
      const { rows } = await storage.audit.page(organization, { kind: 'person_erased' });
      assert.deepEqual(
        rows.map(({ actor, subject }) => [actor, subject]),
        [['operator', member.userId]],
      );
    }
    const { rows } = await storage.audit.page(organizationId, { subject: member.userId });
    assert.ok(rows.some(({ kind }) => kind === 'member_removed'));
  });

  test('leaves no token that enrolls a device, in their own organization or in others', async () => {
    const { storage, account } = gateway;
    const member = await addMember(gateway, account, 'admin');
    const own = await addOrganization(gateway, member.userId);
    const enroll = async (token: string) => {
      const body = { token, device_name: 'Laptop', platform: 'linux' };
      return (await gateway.call('POST', '/api/v1/enroll', { key: null, body })).status;
    };
    const tokens: string[] = [];
    for (const { organizationId, projectId } of [account, own]) {
      const input = { projectId, createdBy: member.userId, uses: 2 };
      const { token } = await storage.enrollments.create(organizationId, input);
      assert.equal(await enroll(token), 200);
      tokens.push(token);
    }
    const { email } = (await storage.users.get(member.userId))!;
    await eraseUser({ storage, forgetKeys: () => {} }, email, 'operator');
    for (const token of tokens) assert.equal(await enroll(token), 401);
  });

  test('must first transfer an organization with other members; an unknown user is not found', async () => {
    const { storage, account } = gateway;
    const owner = await storage.users.get(account.accountId);
    await addMember(gateway, account, 'member');
    const deps = { storage, forgetKeys: () => {} };
    await assert.rejects(eraseUser(deps, owner!.email, 'operator'), {
      code: 'owner_protected',
      message: /Transfer it/,
    });
    assert.equal((await storage.users.get(account.accountId))?.email, owner!.email);
    assert.equal(await eraseUser(deps, 'nobody@example.com', 'operator'), null);
  });
});
