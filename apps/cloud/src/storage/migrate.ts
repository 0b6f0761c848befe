import { type Kysely, sql, type Transaction } from 'kysely';
import type { SqlDialect } from './engines/sql-dialect.ts';
import { MIGRATIONS } from './migrations/all.ts';
import type { Migration } from './migrations/migration.ts';
import type { Database } from './schema.ts';
import { StorageError } from './storage-error.ts';

/**
 * Brings the schema up to date in one transaction, under a lock because several instances may start at the same time.
 * Returns the names of the migrations that ran. Throws `newer_schema`.
 */
export async function migrate(
  db: Kysely<Database>,
  dialect: SqlDialect,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  return await db.transaction().execute(async (tx) => {
    await dialect.lockForMigration(tx);
    await tx.schema
      .createTable('meta')
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();
    const row = await tx
      .selectFrom('meta')
      .select('value')
      .where('name', '=', 'schema_version')
      .executeTakeFirst();
    const version = row === undefined ? 0 : Number(row.value);
    if (!Number.isInteger(version) || version < 0) {
      throw new StorageError(
        'unknown_schema',
        `The database says that it has schema version "${row?.value}", which no version has written. Use an empty database, or restore a backup.`,
      );
    }
    if (version > migrations.length) {
      throw new StorageError(
        'newer_schema',
        `The database has schema version ${version} but this version supports at most ${migrations.length}. Start the newer version, or restore a backup from before the upgrade.`,
      );
    }
    const due = migrations.slice(version);
    for (const migration of due) await run(migration, version, tx, dialect);
    if (due.length > 0) {
      await tx
        .insertInto('meta')
        .values({ name: 'schema_version', value: String(migrations.length) })
        .onConflict((c) => c.column('name').doUpdateSet({ value: sql`excluded.value` }))
        .execute();
    }
    return due.map((migration) => migration.name);
  });
}

async function run(
  migration: Migration,
  from: number,
  tx: Transaction<Database>,
  dialect: SqlDialect,
): Promise<void> {
  try {
    await migration.up(tx, dialect.columnTypes);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const { message } = error as Error;
    throw new StorageError(
      'unknown_schema',
      from === 0 && /already exists/.test(message)
        ? `The database contains tables of another application (${message}). Use a separate database.`
        : `The database schema cannot be migrated from version ${from} (${migration.name}: ${message}); nothing was changed. Restore a backup.`,
      { cause: error },
    );
  }
}
