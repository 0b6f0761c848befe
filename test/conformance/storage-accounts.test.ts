import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { StorageError } from '../../apps/cloud/src/storage/storage-error.ts';
import { assertEmpty, createTestEnv, NOON, onEveryEngine } from './storage-engines.ts';

const code = (expected: string) => (error: unknown) =>
  error instanceof StorageError && error.code === expected;

onEveryEngine('Accounts', (engine) => {
  let storage: Storage;
  before(async () => {
    storage = await engine.open();
  });

  test('finds a user by email address regardless of case, and gives an address to one user only', async () => {
    const user = await storage.users.insert({ email: 'Ada@Example.com', name: 'Ada' });
    assert.match(user.id, /^usr_[0-9A-Za-z]{16}$/);
    assert.deepEqual(await storage.users.get(user.id), {
      id: user.id,
      email: 'Ada@Example.com',
      emailVerifiedAtMs: null,
      name: 'Ada',
      passwordHash: null,
      createdAtMs: NOON,
    });
    assert.equal((await storage.users.findByEmail('aDA@example.COM'))?.id, user.id);
    assert.equal(await storage.users.findByEmail('nobody@example.com'), null);
    assert.equal(await storage.users.get('usr_none'), null);
    await assert.rejects(storage.users.insert({ email: 'ada@EXAMPLE.com' }), code('email_taken'));
    const other = await storage.users.insert({ email: 'bob@example.com' });
    await assert.rejects(storage.users.update(other.id, { email: 'ADA@example.com' }), code('email_taken'));
    const changed = await storage.users.update(other.id, {
      emailVerifiedAtMs: NOON + 1,
      passwordHash: 'hash',
    });
    assert.deepEqual(
      [changed.emailVerifiedAtMs, changed.passwordHash, changed.name],
      [NOON + 1, 'hash', null],
    );
    assert.equal((await storage.users.update(other.id, {})).passwordHash, 'hash');
    await assert.rejects(storage.users.update('usr_none', { name: 'x' }), code('not_found'));
    assert.ok((await storage.users.list()).some(({ id }) => id === other.id));
  });

  test('replaces characters that an engine cannot store, on both alike', async () => {
    const user = await storage.users.insert({ email: 'odd@example.com', name: 'nul\0 lone\ud800 ü 🦉' });
    assert.equal((await storage.users.get(user.id))?.name, 'nul\ufffd lone\ufffd ü 🦉');
  });

  test('a user has one personal organization and any number of teams', async () => {
    const owner = await storage.users.insert({ email: 'owner@example.com' });
    const personal = await storage.organizations.insert({ kind: 'personal', name: 'Own', ownerId: owner.id });
    const team = await storage.organizations.insert({ kind: 'team', name: 'Team', ownerId: owner.id });
    await storage.organizations.insert({ kind: 'team', name: 'Second', ownerId: owner.id });
    await assert.rejects(
      storage.organizations.insert({ kind: 'personal', name: 'Again', ownerId: owner.id }),
      code('personal_exists'),
    );
    await storage.organizations.rename(team.id, 'Renamed');
    const owned = await storage.organizations.listOwned(owner.id);
    assert.deepEqual(owned.map(({ name }) => name).sort(), ['Own', 'Renamed', 'Second']);
    await storage.members.add(personal.id, owner.id, 'owner');
    await storage.members.add(team.id, owner.id, 'owner');
    const seen = await storage.organizations.listForUser(owner.id);
    assert.deepEqual(
      seen.map(({ id, role }) => [id, role]).sort(),
      [
        [personal.id, 'owner'],
        [team.id, 'owner'],
      ].sort(),
    );
  });

  test('members have one role in an organization, and none in others', async () => {
    const testEnv = await createTestEnv(storage);
    const guest = await storage.users.insert({ email: 'guest@example.com', name: 'Guest' });
    await storage.members.add(testEnv.organizationId, guest.id, 'viewer');
    await assert.rejects(
      storage.members.add(testEnv.organizationId, guest.id, 'admin'),
      code('already_member'),
    );
    assert.equal(await storage.members.setRole(testEnv.organizationId, guest.id, 'member'), true);
    assert.equal(await storage.members.setRole('org_none', guest.id, 'admin'), false);
    assert.deepEqual(await storage.members.get(testEnv.organizationId, guest.id), {
      organizationId: testEnv.organizationId,
      userId: guest.id,
      role: 'member',
      email: 'guest@example.com',
      name: 'Guest',
      joinedAtMs: NOON,
      lastSignInAtMs: null,
      lastSeenAtMs: null,
      hasSecondFactor: false,
      hasSignedIn: false,
      isFromDirectory: false,
      ownRole: null,
      claimRole: null,
      groupRole: null,
    });
    assert.equal(await storage.members.get('org_none', guest.id), null);
    assert.equal((await storage.members.list(testEnv.organizationId)).length, 2);
    assert.equal(await storage.members.remove(testEnv.organizationId, guest.id), true);
    assert.equal(await storage.members.remove(testEnv.organizationId, guest.id), false);
  });

  test('project roles apply in their organization only, and end with membership and project', async () => {
    const { organizationId, userId: givenBy } = await createTestEnv(storage);
    const testEnv = await createTestEnv(storage);
    const guest = await storage.users.insert({ email: 'project-guest@example.com' });
    await storage.members.add(organizationId, guest.id, 'viewer');
    const insert = async (name: string) => (await storage.projects.insert(organizationId, { name })).id;
    const [one, two] = [await insert('One'), await insert('Two')];
    const { members } = storage;
    const role = { organizationId, userId: guest.id, givenBy, source: 'assigned' } as const;
    const end = (from: string) => members.removeProjectRoles(from, one, [guest.id], 'assigned');
    await members.setProjectRoles([{ ...role, projectId: one, role: 'member' }]);
    await members.setProjectRoles([
      { ...role, projectId: one, role: 'admin' },
      { ...role, projectId: two, role: 'member' },
    ]);
    await members.setProjectRoles([]);
    assert.equal(await members.getProjectRole(organizationId, guest.id, one), 'admin', 'the last one');
    assert.equal(await members.getProjectRole(organizationId, givenBy, one), null);
    assert.equal(await members.getProjectRole(testEnv.organizationId, guest.id, one), null);
    assert.deepEqual(await members.listProjectRoles(testEnv.organizationId), []);
    assert.deepEqual(
      (await members.listProjectRoles(organizationId, { projectId: one })).map(
        ({ givenAtMs, ...rest }) => rest,
      ),
      [{ ...role, projectId: one, role: 'admin' }],
    );
    assert.equal((await members.listProjectRoles(organizationId, { userId: guest.id })).length, 2);
    assert.equal(await end(testEnv.organizationId), 0);
    assert.equal(await end(organizationId), 1);
    assert.equal(await end(organizationId), 0);
    await assert.rejects(
      members.setProjectRoles([{ ...role, userId: 'usr_none', projectId: one, role: 'admin' }]),
      'no role without a membership',
    );
    await storage.transaction(({ deletions }) => deletions.removeProject(organizationId, two));
    assert.deepEqual(await members.listProjectRoles(organizationId), []);
    await members.setProjectRoles([{ ...role, projectId: one, role: 'member' }]);
    await members.remove(organizationId, guest.id);
    assert.deepEqual(await members.listProjectRoles(organizationId), []);
  });

  test('a subscription keeps fields that a change does not name', async () => {
    const user = await storage.users.insert({ email: 'payer@example.com' });
    assert.equal(await storage.subscriptions.get(user.id), null);
    const fresh = {
      accountId: user.id,
      plan: 'free',
      status: 'active',
      perMinute: null,
      monthly: null,
      spendCapUsd: null,
      onDemand: true,
    };
    assert.deepEqual(await storage.subscriptions.set(user.id, {}), fresh);
    await storage.subscriptions.set(user.id, { plan: 'scale', spendCapUsd: 12.5, monthly: 5_000_000_000 });
    const changed = await storage.subscriptions.set(user.id, { status: 'past_due', onDemand: false });
    const expected = { ...fresh, plan: 'scale', status: 'past_due', onDemand: false };
    assert.deepEqual(changed, { ...expected, spendCapUsd: 12.5, monthly: 5_000_000_000 });
    assert.deepEqual(await storage.subscriptions.get(user.id), changed);
    assert.equal((await storage.subscriptions.set(user.id, { spendCapUsd: null })).spendCapUsd, null);
  });

  test('projects belong to one organization and are counted for its owner', async () => {
    const testEnv = await createTestEnv(storage);
    const other = await createTestEnv(storage);
    const team = await storage.organizations.insert({ kind: 'team', name: 'T', ownerId: testEnv.userId });
    const project = await storage.projects.insert(team.id, {
      name: 'Bot',
      description: 'answers',
      failMode: 'closed',
      useCase: 'support_bot',
      strictnessLevel: 'strict',
      zeroRetention: true,
    });
    assert.equal(await storage.projects.get(other.organizationId, project.id), null);
    assert.deepEqual(await storage.projects.get(team.id, project.id), project);
    await assert.rejects(
      storage.projects.update(other.organizationId, project.id, { name: 'x' }),
      code('not_found'),
    );
    const changed = await storage.projects.update(team.id, project.id, {
      retentionDays: 7,
    });
    assert.deepEqual(changed, { ...project, retentionDays: 7 });
    assert.deepEqual(project.settings, {});
    const settings = { on_unscanned: 'block' as const };
    await storage.projects.update(team.id, project.id, { settings });
    assert.deepEqual((await storage.projects.lock(team.id, project.id))?.settings, settings);
    assert.equal(await storage.projects.lock(other.organizationId, project.id), null);
    await storage.projects.update(team.id, project.id, { name: 'Bot', settings: {} });
    assert.deepEqual((await storage.projects.get(team.id, project.id))?.settings, {});
    assert.equal(await storage.projects.countForAccount(testEnv.userId), 2);
    assert.deepEqual(
      (await storage.projects.list(team.id)).map(({ id }) => id),
      [project.id],
    );
  });

  test("a provider's credential is encrypted in the database and decrypted only for its organization", async () => {
    const testEnv = await createTestEnv(storage);
    const { organizationId, projectId } = testEnv;
    await storage.projects.setCredential(organizationId, projectId, 'openai', 'sk-first-credential');
    await storage.projects.setCredential(organizationId, projectId, 'openai', 'sk-second-credential');
    await assert.rejects(
      storage.projects.setCredential('org_none', projectId, 'openai', 's'),
      code('not_found'),
    );
    assert.equal(
      (await storage.projects.findCredentials(organizationId, projectId, 'openai'))[0]?.secret,
      'sk-second-credential',
    );
    assert.deepEqual(await storage.projects.findCredentials('org_none', projectId, 'openai'), []);
    assert.deepEqual(await storage.projects.listCredentials(organizationId, projectId), [
      { provider: 'openai', name: 'default', models: [] },
    ]);
    const named = { name: 'team a', models: ['gpt-a', 'gpt-b'] };
    await storage.projects.setCredential(organizationId, projectId, 'openai', 'sk-of-team-a', named);
    assert.deepEqual(await storage.projects.findCredentials(organizationId, projectId, 'openai'), [
      { name: 'default', models: [], secret: 'sk-second-credential' },
      { ...named, secret: 'sk-of-team-a' },
    ]);
    assert.equal(
      await storage.projects.removeCredential(organizationId, projectId, 'openai', 'team a'),
      true,
    );
    assert.equal(await storage.projects.removeCredential('org_none', projectId, 'openai'), false);
    assert.equal(await storage.projects.removeCredential(organizationId, projectId, 'openai'), true);
    assert.deepEqual(await storage.projects.findCredentials(organizationId, projectId, 'openai'), []);
    if (engine.name === 'SQLite') {
      const { dataDir } = engine.options();
      for (const file of ['gateway.sqlite', 'gateway.sqlite-wal']) {
        const bytes = readFileSync(path.join(dataDir, file));
        assert.equal(
          bytes.includes('credential'.slice(0, 4) && 'second-credential'),
          false,
          `${file} contains a credential`,
        );
      }
    }
  });

  test('a failed transaction leaves nothing, a completed one everything', async () => {
    await assert.rejects(
      storage.transaction(async (s) => {
        const user = await s.users.insert({ email: 'half@example.com' });
        await s.organizations.insert({ kind: 'personal', name: 'Half', ownerId: user.id });
        await s.audit.append({
          organizationId: 'org_half',
          kind: 'user_created',
          actor: 'system',
          subject: user.id,
          data: {},
        });
        throw new Error('the third step failed');
      }),
      /the third step failed/,
    );
    assert.equal(await storage.users.findByEmail('half@example.com'), null);
    assert.deepEqual((await storage.audit.page('org_half')).rows, []);
    const testEnv = await createTestEnv(storage);
    assert.equal((await storage.members.list(testEnv.organizationId)).length, 1);
  });

  test('transactions that wait for each other both complete, one of them after a restart', async () => {
    const ids: string[] = [];
    for (const email of ['left@example.com', 'right@example.com']) {
      ids.push((await storage.users.insert({ email })).id);
    }
    const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    await Promise.all(
      [0, 1].map((n) =>
        storage.transaction(async ({ users }) => {
          runs += 1;
          await users.lock(ids[n]!);
          met[n]!.resolve();
          // SQLite allows one writer at a time: the other has not started.
          if (engine.name === 'PostgreSQL') await met[1 - n]!.promise;
          await users.lock(ids[1 - n]!);
          await users.update(ids[n]!, { name: `done ${n}` });
        }),
      ),
    );
    assert.equal(runs > 2, engine.name === 'PostgreSQL');
    const names = await Promise.all(ids.map(async (id) => (await storage.users.get(id))?.name));
    assert.deepEqual(names, ['done 0', 'done 1']);
  });

  test('concurrent transactions run one after another, and readers do not wait for them', async () => {
    const order: string[] = [];
    const user = await storage.users.insert({ email: 'turns@example.com' });
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        storage.transaction(async (s) => {
          const before = (await s.users.get(user.id))?.name ?? '';
          assert.notEqual(await storage.users.get(user.id), null);
          await s.users.update(user.id, { name: before + name });
          order.push(name);
        }),
      ),
    );
    assert.equal(order.length, 3);
    if (engine.name === 'SQLite') assert.equal((await storage.users.get(user.id))?.name?.length, 3);
  });

  test('missing ids return null or do nothing: accounts, organizations, members, projects', async () => {
    const { users, organizations, members, subscriptions, projects } = storage;
    await assertEmpty({
      user: users.get('usr_none'),
      address: users.findByEmail('nobody@none.example'),
      'user removed': users.remove('usr_none'),
      organization: organizations.get('org_none'),
      existing: organizations.listExisting([]),
      transfer: organizations.transfer('org_none', 'usr_none', 'usr_other'),
      member: members.get('org_none', 'usr_none'),
      'member held': members.lock('org_none', 'usr_none'),
      role: members.setRole('org_none', 'usr_none', 'viewer'),
      'member removed': members.remove('org_none', 'usr_none'),
      'project role': members.getProjectRole('org_none', 'usr_none', 'proj_none'),
      'project role removed': members.removeProjectRoles('org_none', 'proj_none', ['usr_none'], 'assigned'),
      subscription: subscriptions.get('usr_none'),
      project: projects.get('org_none', 'proj_none'),
      'project held': projects.lock('org_none', 'proj_none'),
      projects: projects.list('org_none'),
    });
    await assert.rejects(projects.update('org_none', 'proj_none', { name: 'new' }), StorageError);
  });
});
