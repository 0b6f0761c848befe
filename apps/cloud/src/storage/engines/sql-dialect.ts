import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import type { BatchWriter } from '../batch/batch.ts';
import type { ColumnTypes } from '../migrations/migration.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../sealing/vault.ts';

/** All differences between SQLite and PostgreSQL. No other file distinguishes the engines. */
export interface SqlDialect {
  readonly engine: 'sqlite' | 'postgres';
  readonly columnTypes: ColumnTypes;
  /** Allows one migrating process at a time, until the transaction ends. */
  lockForMigration(tx: Transaction<Database>): Promise<void>;
  /** Locks the selected rows until the transaction ends, unless transactions exclude other writers anyway. */
  // biome-ignore lint/suspicious/noExplicitAny: takes and returns any select, as Kysely's `$call` wants it.
  lockRows<Q extends SelectQueryBuilder<Database, any, any>>(query: Q): Q;
  /** The same, but skips rows that another transaction has locked. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  lockFreeRows<Q extends SelectQueryBuilder<Database, any, any>>(query: Q): Q;
}

export interface Engine {
  readonly db: Kysely<Database>;
  /** For selects whose cost grows with the stored data: they block no other request. Sees committed data only. */
  readonly reads: Kysely<Database>;
  readonly dialect: SqlDialect;
  /** Writes the hot path with engine-specific statements. */
  createBatchWriter(vault: Vault): BatchWriter;
  /** Writes a meaningless value. Rejects with StorageError if nothing can be stored or the disk is nearly full. */
  probe(): Promise<void>;
  /**
   * Copies the database to a new file while it is in use. Throws StorageError `rejected` on PostgreSQL (use pg_dump).
   */
  copyTo(file: string): Promise<void>;
  close(): Promise<void>;
}
