import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import { createPostgresBatchWriter } from './batch/postgres-batch-writer.ts';
import {
  createPatientPool,
  isConnectionError,
  MAX_CONNECTIONS,
  type ReconnectingPool,
} from './reconnecting-pool.ts';
import type { Database } from './schema.ts';
import type { Engine, SqlGaps } from './sql-gaps.ts';
import { BROKEN_REFERENCE, StorageError } from './storage-error.ts';

const INT8 = 20;
const NUMERIC = 1700;
/** Any constant: which advisory lock migrating instances queue on. */
const MIGRATION_LOCK = 7_246_001;
const REPEATABLE = /^\s*(?:select|begin|start transaction)\b/i;
/** Tells whether something can be written: a server may have turned into a copy that only reads, or its disk be full. */
const PROBE =
  "INSERT INTO meta (name, value) VALUES ('probed', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value";

const POSTGRES_GAPS: SqlGaps = {
  engine: 'postgres',
  columnTypes: { blob: 'bytea' },
  async lockForMigration(tx) {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
  },
  lockRows: (query) => query.forUpdate() as typeof query,
  takeFree: (query) => query.forUpdate().skipLocked() as typeof query,
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
    // Statements need not wait for the answers of those before: the batch writer makes use of it.
    pipeline: true,
    // The one place where counts and sums, which pg hands over as strings, become numbers.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
    },
  });
  // Without a listener, a server that stops would end this process through its idle connections.
  pool.on('error', onIdleError);
  // The pool listens to idle ones only; one that goes between two statements of a transaction would do the same.
  pool.on('connect', (client) => void client.on('error', () => {}));

  const patient = createPatientPool(pool, times, postgresError);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: translatingPool(pool, patient) }) });
  return {
    db,
    reads: db,
    gaps: POSTGRES_GAPS,
    createBatchWriter: (vault) => createPostgresBatchWriter(patient, vault, postgresError),
    async probe() {
      // Without the retries of the pool: the caller wants to know the state of this moment.
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

/** Kysely's connections, in whose place another one comes where the server goes before anything was begun. */
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

/** Runs the statements of one connection; the first may get another connection. */
class ConnectionRunner {
  readonly #patient: ReconnectingPool;
  #client: pg.PoolClient;
  #isFirst = true;

  constructor(patient: ReconnectingPool, client: pg.PoolClient) {
    this.#patient = patient;
    this.#client = client;
  }

  async run(text: string, values: readonly unknown[]) {
    // Reading and beginning leave nothing behind: they can be done again, whatever became of them.
    let left = this.#isFirst && REPEATABLE.test(text) ? MAX_CONNECTIONS : 0;
    this.#isFirst = false;
    for (;;) {
      // What changes many rows at once may take its time; and what was cut twice seems to need it.
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

/** What an error of PostgreSQL, or of the way to it, means to a caller. Other errors pass as they are. */
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
    return new StorageError('rejected', `The database refused a value: ${error.message}.`, { cause: error });
  }
  const isOurs = error instanceof TypeError || error instanceof RangeError || /^(42|0A)...$/.test(code);
  if (isOurs && code !== NO_PERMISSION) return error;
  return new StorageError('unavailable', `The database cannot be used: ${reasonOf(error, code)}.`, {
    cause: error,
  });
}

const NO_PERMISSION = '42501';

function reasonOf({ message }: Error, code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `its host has a name that is not known (${message})`;
  if (/client password must be a string/.test(message)) {
    return 'it asks for a password, and DATABASE_URL has none';
  }
  // Where a name has several addresses there is no message, but a code.
  return message || code;
}
