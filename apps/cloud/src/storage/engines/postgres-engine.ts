import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import { createPostgresBatchWriter } from '../batch/postgres-batch-writer.ts';
import type { Database } from '../schema.ts';
import { BROKEN_REFERENCE, StorageError } from '../storage-error.ts';
import {
  createReconnectingPool,
  isConnectionError,
  MAX_CONNECTIONS,
  type ReconnectingPool,
} from './reconnecting-pool.ts';
import type { Engine, SqlDialect } from './sql-dialect.ts';

const INT8 = 20;
const NUMERIC = 1700;
/** An arbitrary constant: the advisory lock for migrating instances. */
const MIGRATION_LOCK = 7_246_001;
const REPEATABLE = /^\s*(?:select|begin|start transaction)\b/i;
/** Tests whether the database accepts writes: it may have become a read-only replica, or its disk may be full. */
const PROBE =
  "INSERT INTO meta (name, value) VALUES ('probed', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value";

const POSTGRES_DIALECT: SqlDialect = {
  engine: 'postgres',
  columnTypes: { blob: 'bytea' },
  async lockForMigration(tx) {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
  },
  lockRows: (query) => query.forUpdate() as typeof query,
  lockFreeRows: (query) => query.forUpdate().skipLocked() as typeof query,
};

export function openPostgresEngine(
  databaseUrl: string,
  times: { readonly waitMs: number; readonly queryTimeoutMs: number },
  onIdleError: (error: unknown) => void,
): Engine {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    application_name: 'content-security-gateway',
    keepAlive: true,
    // Statements need not wait for the responses to earlier ones; the batch writer uses this.
    pipeline: true,
    // Converts counts and sums, which pg returns as strings, to numbers.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
    },
  });
  // Without a listener, a stopping server would crash this process through its idle connections.
  pool.on('error', onIdleError);
  // The pool only listens to idle connections; one lost between statements of a transaction would crash it, too.
  pool.on('connect', (client) => void client.on('error', () => {}));

  const patient = createReconnectingPool(pool, times, postgresError);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: translatingPool(pool, patient) }) });
  return {
    db,
    reads: db,
    dialect: POSTGRES_DIALECT,
    createBatchWriter: (vault) => createPostgresBatchWriter(patient, vault, postgresError),
    async probe() {
      // Bypasses the pool's retries: the caller wants the current state.
      await pool.query(PROBE).catch((error: unknown) => {
        throw postgresError(error);
      });
    },
    async copyTo() {
      throw new StorageError(
        'rejected',
        'The database is on PostgreSQL: back it up with pg_dump, and keep audit-checkpoints.jsonl and the master key with it (docs/backup.md).',
      );
    },
    close: () => db.destroy(),
  };
}

/** Connections for Kysely that are replaced if the server is lost before a transaction has begun. */
function translatingPool(pool: pg.Pool, patient: ReconnectingPool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const runner = new ConnectionRunner(patient, await patient.connect());
      return {
        query: ((text: string, values: readonly unknown[]) =>
          runner.run(text, values).catch((error: unknown) => {
            throw postgresError(error);
          })) as never,
        release: (destroy?: boolean) => runner.release(destroy),
      };
    },
  };
}

/** Runs the statements of one connection; the first statement may move to another connection. */
class ConnectionRunner {
  readonly #patient: ReconnectingPool;
  #client: pg.PoolClient;
  #isFirst = true;

  constructor(patient: ReconnectingPool, client: pg.PoolClient) {
    this.#patient = patient;
    this.#client = client;
  }

  async run(text: string, values: readonly unknown[]) {
    // Reads and BEGIN have no effects, so they can be repeated whatever their outcome was.
    let left = this.#isFirst && REPEATABLE.test(text) ? MAX_CONNECTIONS : 0;
    this.#isFirst = false;
    for (;;) {
      // Bulk changes may take long and have no timeout. A statement that timed out twice apparently needs the time.
      const inTime = left > 0 ? this.#patient.startQueryTimeout(this.#client) : undefined;
      try {
        return await this.#client.query(text, values as unknown[]);
      } catch (error) {
        if (left === 0 || !isConnectionError(error)) throw error;
        left = inTime?.() === false ? Math.min(left - 1, 1) : left - 1;
        this.#client.release(true);
        this.#client = await this.#patient.connect();
      } finally {
        inTime?.();
      }
    }
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }
}

/** Maps errors of PostgreSQL and of its connections to StorageError. Returns other errors unchanged. */
function postgresError(error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === '23505') {
    return new StorageError('conflict', 'Something with the same identity is stored already.', {
      cause: error,
    });
  }
  if (code === '23503') return new StorageError('broken_reference', BROKEN_REFERENCE, { cause: error });
  if (code === '40P01' || code === '40001') {
    return new StorageError('deadlock', 'Two transactions waited for each other.', { cause: error });
  }
  if (code === '53100')
    return new StorageError('disk_full', 'The disk of the database is full.', { cause: error });
  // 22: data exceptions, 23: constraints, 54: program limits.
  if (/^(22|23|54)...$/.test(code)) {
    return new StorageError('rejected', `The database rejected a value: ${error.message}.`, { cause: error });
  }
  const isOurs = error instanceof TypeError || error instanceof RangeError || /^(42|0A)...$/.test(code);
  if (isOurs && code !== NO_PERMISSION) return error;
  return new StorageError('unavailable', `The database cannot be used: ${reasonOf(error, code)}.`, {
    cause: error,
  });
}

const NO_PERMISSION = '42501';

function reasonOf({ message }: Error, code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `its host name could not be resolved (${message})`;
  if (/client password must be a string/.test(message)) {
    return 'it requires a password, but DATABASE_URL has none';
  }
  // For a host name with several addresses the error has a code but no message.
  return message || code;
}
