import { type Kysely, sql } from 'kysely';
import { MIGRATIONS } from './migrations/all.ts';
import type { Migration } from './migrations/migration.ts';
import type { Database } from './schema.ts';
import type { SqlGaps } from './sql-gaps.ts';
import { StorageError } from './storage-error.ts';

/**
 * Brings the schema up to date in one transaction, under a lock: several instances may start at once.
 * Returns the names of the migrations that ran. Throws `newer_schema`.
 */
export async function migrate(
  db: Kysely<Database>,
  gaps: SqlGaps,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  return await db.transaction().execute(async (tx) => {
    await gaps.lockForMigration(tx);
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
    if (version > migrations.length) {
      throw new StorageError(
        'newer_schema',
        `The database has schema version ${version} and this build knows versions up to ${migrations.length}: start the newer build, or use a copy of the database made before that build ran.`,
      );
    }
    const due = migrations.slice(version);
    for (const migration of due) await migration.up(tx, gaps.columnTypes);
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
