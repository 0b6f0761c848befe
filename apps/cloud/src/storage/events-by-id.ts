import type { Kysely, Selectable } from 'kysely';
import type { Database } from './schema.ts';

/**
 * Returns those of the given events that are the organization's, in any order; at most 500 ids. The organization is
 * compared afterwards: as a second condition, SQLite would read all of its events from about ten ids on.
 */
export async function readEventsById(
  db: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly Selectable<Database['security_events']>[]> {
  const rows = await db.selectFrom('security_events').selectAll().where('id', 'in', ids).execute();
  return rows.filter((row) => row.organization_id === organizationId);
}
