import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import { createPostgresBatchWriter } from './batch/postgres-batch-writer.ts';
import type { Database } from './schema.ts';
import type { Engine, SqlGaps } from './sql-gaps.ts';
import { StorageError } from './storage-error.ts';

const INT8 = 20;
const NUMERIC = 1700;
/** Any constant: which advisory lock migrating instances queue on. */
const MIGRATION_LOCK = 7_246_001;

export const POSTGRES_GAPS: SqlGaps = {
  engine: 'postgres',
  columnTypes: { blob: 'bytea' },
  async lockForMigration(tx) {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
  },
  lockRows: (query) => query.forUpdate() as typeof query,
  takeFree: (query) => query.forUpdate().skipLocked() as typeof query,
};

export function openPostgresEngine(databaseUrl: string, onIdleFault: (error: unknown) => void): Engine {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 5_000,
    application_name: 'content-security-gateway',
    keepAlive: true,
    // The one place where counts and sums, which pg hands over as strings, become numbers.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
    },
  });
  // Without a listener, a server that stops would end this process through its idle connections.
  pool.on('error', onIdleFault);
  // The pool listens to idle ones only; one that goes between two statements of a transaction would do the same.
  pool.on('connect', (client) => void client.on('error', () => {}));

  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: translatingPool(pool) }) });
  return {
    db,
    gaps: POSTGRES_GAPS,
    createBatchWriter: (vault) => createPostgresBatchWriter(pool, vault, postgresFault),
    async copyTo() {
      throw new StorageError(
        'rejected',
        'The database is on PostgreSQL: back it up with pg_dump, and keep audit-checkpoints.jsonl and the master key with it (docs/backup.md).',
      );
    },
    close: () => db.destroy(),
  };
}

function translatingPool(pool: pg.Pool): PostgresPool {
  const fail = (error: unknown): never => {
    throw postgresFault(error);
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(fail);
      return {
        query: ((text: string, values: readonly unknown[]) =>
          client.query(text, values as unknown[]).catch(fail)) as never,
        release: (destroy?: boolean) => client.release(destroy),
      };
    },
  };
}

/** What an error of PostgreSQL, or of the way to it, means to a caller. Other errors pass as they are. */
export function postgresFault(error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === '23505') {
    return new StorageError('conflict', 'Something with the same identity is stored already.', {
      cause: error,
    });
  }
  if (code === '53100')
    return new StorageError('disk_full', 'The disk of the database is full.', { cause: error });
  // 22: data exceptions, 23: constraints, 54: program limits.
  if (/^(22|23|54)...$/.test(code)) {
    return new StorageError('rejected', `The database refused a value: ${error.message}.`, { cause: error });
  }
  const isOurs = error instanceof TypeError || error instanceof RangeError || /^(42|0A)...$/.test(code);
  if (isOurs) return error;
  return new StorageError('unavailable', `The database cannot be used: ${error.message || code}.`, {
    cause: error,
  });
}
