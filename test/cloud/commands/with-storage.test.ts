import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commandLine, commandProcesses } from '../../support/command-line.ts';
import { createEmptyDatabase, noPostgres } from '../../support/databases.ts';
import { startGateway } from '../../support/gateway.ts';

describe('commands that open the storage themselves', () => {
  test('create the account once before the first start of the service, which then uses it', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'csg-test-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const { json } = commandProcesses(dataDir);
    const made = await Promise.all([1, 2, 3].map((n) => json(['keys', 'create', '--name', `key ${n}`])));
    assert.equal(new Set(made.map((key) => key['organization_id'])).size, 1);
    assert.equal(new Set(made.map((key) => key['project_id'])).size, 1);
    const gateway = await startGateway({ dataDir });
    assert.equal(gateway.account.organizationId, made[0]?.['organization_id']);
    for (const { key } of made) {
      const answer = await gateway.call('GET', '/api/v1/projects', { key: key as string });
      assert.equal(answer.status, 200);
    }
    assert.equal((await gateway.storage.users.list()).length, 1);
    await gateway.close();
  });

  test('say on standard error that the database is new', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'csg-test-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const { run } = commandLine(dataDir);
    const [first, second] = [await run(['events', 'list']), await run(['events', 'list'])];
    assert.equal(first.stderr, `Created a new database in ${dataDir} (GATEWAY_DATA_DIR).\n`);
    assert.deepEqual([first.code, second.code, second.stderr], [0, 0, '']);
  });

  test('do so on PostgreSQL', { skip: noPostgres }, async (t) => {
    const database = await createEmptyDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'csg-test-'));
    t.after(async () => {
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    });
    const env = { DATABASE_URL: database.databaseUrl };
    const { json } = commandProcesses(dataDir, env);
    const made = await json(['keys', 'create', '--name', 'one', '--permissions', 'projects']);
    const gateway = await startGateway({ dataDir, env });
    const answer = await gateway.call('GET', '/api/v1/projects', { key: made['key'] as string });
    assert.equal(answer.status, 200);
    assert.equal((await json(['audit', 'verify']))['valid'], true);
    await gateway.close();
  });
});
