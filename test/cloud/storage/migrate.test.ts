import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openSqliteEngine } from '../../../apps/cloud/src/storage/engines/sqlite-engine.ts';
import { migrate } from '../../../apps/cloud/src/storage/migrate.ts';
import { MIGRATIONS } from '../../../apps/cloud/src/storage/migrations/all.ts';
import type { Migration } from '../../../apps/cloud/src/storage/migrations/migration.ts';
import { StorageError } from '../../../apps/cloud/src/storage/storage-error.ts';

async function openEmpty(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-migrate-'));
  const engine = await openSqliteEngine(path.join(folder, 'gateway.sqlite'));
  t.after(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (text: string) => sql.raw(text).execute(engine.db);
  const version = async () =>
    (
      await engine.db
        .selectFrom('meta')
        .select('value')
        .where('name', '=', 'schema_version')
        .executeTakeFirst()
    )?.value;
  return { ...engine, run, version };
}

const creating = (name: string, table: string): Migration => ({
  name,
  up: async (db) => void (await sql.raw(`create table ${table} (id integer)`).execute(db)),
});
const [ONE, TWO] = [creating('one', 'ones'), creating('two', 'twos')];
const failsWith = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof StorageError && error.code === code && message.test(error.message);

test('the migrations that a database lacks run once, in order', async (t) => {
  const { db, dialect, version } = await openEmpty(t);
  assert.deepEqual(await migrate(db, dialect, [ONE]), ['one']);
  assert.equal(await version(), '1');
  assert.deepEqual(await migrate(db, dialect, [ONE, TWO]), ['two']);
  assert.equal(await version(), '2');
  assert.deepEqual(await migrate(db, dialect, [ONE, TWO]), []);
  assert.equal(await version(), '2');
});

test('all migrations of this build run on an empty database', async (t) => {
  const { db, dialect, version } = await openEmpty(t);
  assert.equal((await migrate(db, dialect)).length, MIGRATIONS.length);
  assert.equal(await version(), String(MIGRATIONS.length));
});

test('a version that no build has written is rejected, and so is a newer one', async (t) => {
  const { db, dialect, run } = await openEmpty(t);
  await migrate(db, dialect, [ONE]);
  for (const value of ['none', '-1', '1.5']) {
    await run(`update meta set value = '${value}' where name = 'schema_version'`);
    await assert.rejects(migrate(db, dialect, [ONE]), failsWith('unknown_schema', new RegExp(`"${value}"`)));
  }
  await run(`update meta set value = '2' where name = 'schema_version'`);
  await assert.rejects(migrate(db, dialect, [ONE]), failsWith('newer_schema', /version 2 .* at most 1\./));
  assert.deepEqual(await migrate(db, dialect, [ONE, TWO]), []);
});

test('tables of another program and a migration that fails are told apart, and nothing is changed', async (t) => {
  const { db, dialect, run, version } = await openEmpty(t);
  await run('create table twos (id integer)');
  await assert.rejects(
    migrate(db, dialect, [ONE, TWO]),
    failsWith('unknown_schema', /tables of another application/),
  );
  await assert.rejects(db.selectFrom('meta').selectAll().execute(), /no such table/);
  await migrate(db, dialect, [ONE]);
  await assert.rejects(
    migrate(db, dialect, [ONE, TWO]),
    failsWith('unknown_schema', /from version 1 \(two: .*already exists/),
  );
  const broken: Migration = { name: 'broken', up: async () => assert.fail('no luck') };
  await assert.rejects(
    migrate(db, dialect, [ONE, broken]),
    failsWith('unknown_schema', /\(broken: no luck\)/),
  );
  const stopped: Migration = {
    name: 'stopped',
    up: async () => {
      throw new StorageError('disk_full', 'The disk is full.');
    },
  };
  await assert.rejects(migrate(db, dialect, [ONE, stopped]), failsWith('disk_full', /^The disk is full\.$/));
  assert.equal(await version(), '1');
});

test('on a database without tables of its own, a failure is no foreign table', async (t) => {
  const { db, dialect } = await openEmpty(t);
  const broken: Migration = { name: 'broken', up: async () => assert.fail('no luck') };
  await assert.rejects(
    migrate(db, dialect, [broken]),
    failsWith('unknown_schema', /from version 0 \(broken/),
  );
});
