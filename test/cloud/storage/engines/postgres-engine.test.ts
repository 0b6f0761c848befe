import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openPostgresEngine } from '../../../../apps/cloud/src/storage/engines/postgres-engine.ts';
import { StorageError } from '../../../../apps/cloud/src/storage/storage-error.ts';
import { createEmptyDatabase, noPostgres } from '../../../support/databases.ts';

const TIMES = { waitMs: 0, queryTimeoutMs: 30_000 };
const skip = noPostgres;

/** What a statement fails with on a server that reports this SQLSTATE. */
async function errorsOf(states: readonly string[]): Promise<readonly unknown[]> {
  const database = await createEmptyDatabase();
  const engine = openPostgresEngine(database.databaseUrl, TIMES, () => {});
  try {
    const errors: unknown[] = [];
    for (const state of states) {
      const raise = `DO $$ BEGIN RAISE EXCEPTION 'no luck' USING ERRCODE = '${state}'; END $$`;
      errors.push(
        await sql
          .raw(raise)
          .execute(engine.db)
          .catch((error: unknown) => error),
      );
    }
    return errors;
  } finally {
    await engine.close();
    await database.drop();
  }
}

test('errors of PostgreSQL have the codes of storage and keep their cause', { skip }, async () => {
  const codes = {
    23505: 'conflict',
    23503: 'broken_reference',
    '40P01': 'deadlock',
    40001: 'deadlock',
    53100: 'disk_full',
    22001: 'rejected',
    23514: 'rejected',
    54000: 'rejected',
    42501: 'unavailable',
    25006: 'unavailable',
    53200: 'unavailable',
    57014: 'unavailable',
  };
  const errors = await errorsOf(Object.keys(codes));
  for (const [index, [state, expected]] of Object.entries(codes).entries()) {
    const error = errors[index];
    assert.ok(error instanceof StorageError, state);
    assert.deepEqual([error.code, (error.cause as { code?: string }).code], [expected, state]);
    if (expected === 'unavailable' || expected === 'rejected') assert.match(error.message, /: no luck\.$/);
  }
});

test('an invalid statement stays the error of the server: it is a bug of this program', {
  skip,
}, async () => {
  for (const error of await errorsOf(['42601', '42P01', '0A000'])) {
    assert.ok(error instanceof Error && !(error instanceof StorageError));
    assert.equal(error.message, 'no luck');
  }
});

test('a server that is not there is named by what is wrong', async () => {
  for (const [url, message] of [
    ['postgres://postgres@127.0.0.1:9/none', /cannot be used: .*ECONNREFUSED/],
    ['postgres://postgres@no-such-host.invalid/none', /host name could not be resolved/],
  ] as const) {
    const engine = openPostgresEngine(url, TIMES, () => {});
    await assert.rejects(
      engine.probe(),
      (error: unknown) =>
        error instanceof StorageError && error.code === 'unavailable' && message.test(error.message),
      url,
    );
    await engine.close();
  }
});

test('a probe writes, so that a read-only server is found', { skip }, async () => {
  const database = await createEmptyDatabase();
  const engine = openPostgresEngine(database.databaseUrl, TIMES, () => {});
  try {
    await sql`create table meta (name text primary key, value text not null)`.execute(engine.db);
    await engine.probe();
    await engine.probe();
    assert.equal((await engine.db.selectFrom('meta').selectAll().execute()).length, 1);
    await sql
      .raw(`alter database ${new URL(database.databaseUrl).pathname.slice(1)}
      set default_transaction_read_only = on`)
      .execute(engine.db);
    const later = openPostgresEngine(database.databaseUrl, TIMES, () => {});
    await assert.rejects(
      later.probe(),
      (error: unknown) => error instanceof StorageError && error.code === 'unavailable',
    );
    await later.close();
    await assert.rejects(engine.copyTo('/anywhere'), /pg_dump/);
  } finally {
    await engine.close();
    await database.drop();
  }
});

test('a read that times out twice apparently needs the time, and gets it', { skip }, async () => {
  const database = await createEmptyDatabase();
  const engine = openPostgresEngine(database.databaseUrl, { waitMs: 60_000, queryTimeoutMs: 200 }, () => {});
  try {
    await sql`create sequence tries`.execute(engine.db);
    const read = sql<{ tries: string }>`select nextval('tries') as tries, pg_sleep(1)`;
    const { rows } = await read.execute(engine.db);
    assert.ok(Number(rows[0]?.tries) <= 3, rows[0]?.tries);
  } finally {
    await engine.close();
    await database.drop();
  }
});
