import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';
import { readChain } from './read-chain.ts';

/** Number of ids compared in one pass over the chain; bounds the memory. */
const STEP = 200_000;

/**
 * Returns ids of events that no audit row names, at most `limit`. Reads the whole chain once for every 200,000 events,
 * because the chain has no index by event: called only if there are more events than the chain records.
 */
export async function findUnrecordedEvents(
  db: Kysely<Database>,
  organizationId: string,
  limit: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let after = ''; found.length < limit; ) {
    const rows = await db
      .selectFrom('security_events')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(STEP)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    const unknown = new Set(rows.map((row) => row.id));
    for await (const row of readChain(db, organizationId, Number.MAX_SAFE_INTEGER))
      unknown.delete(row.subject);
    found.push(...[...unknown].slice(0, limit - found.length));
  }
  return found;
}
