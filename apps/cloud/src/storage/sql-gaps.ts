import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import type { BatchWriter } from './batch/batch.ts';
import type { ColumnTypes } from './migrations/migration.ts';
import type { Database } from './schema.ts';
import type { Vault } from './vault.ts';

/** Everything in which SQLite and PostgreSQL differ. No other file asks which of them it is. */
export interface SqlGaps {
  readonly engine: 'sqlite' | 'postgres';
  readonly columnTypes: ColumnTypes;
  /** One migrating process at a time; held until the transaction ends. */
  lockForMigration(tx: Transaction<Database>): Promise<void>;
  /** Holds the rows read until the transaction ends, where the transaction does not exclude writers anyway. */
  // biome-ignore lint/suspicious/noExplicitAny: takes and returns any select, as Kysely's `$call` wants it.
  lockRows<Q extends SelectQueryBuilder<Database, any, any>>(query: Q): Q;
  /** The same, leaving out rows that another transaction holds. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  takeFree<Q extends SelectQueryBuilder<Database, any, any>>(query: Q): Q;
}

export interface Engine {
  readonly db: Kysely<Database>;
  /** For selects whose cost grows with what is stored: they hold up no other request. Sees what is committed. */
  readonly reads: Kysely<Database>;
  readonly gaps: SqlGaps;
  /** The hot writes, in statements of the engine's own. */
  createBatchWriter(vault: Vault): BatchWriter;
  /** Writes something of no meaning, now. Rejects with StorageError where nothing can be stored, or soon cannot. */
  probe(): Promise<void>;
  /** Copies the database into a new file while it is used. Throws StorageError `rejected` where others do that. */
  copyTo(file: string): Promise<void>;
  close(): Promise<void>;
}
