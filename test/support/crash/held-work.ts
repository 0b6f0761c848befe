/** Deliveries and pages of batches that have not ended. */
import type { DatabaseReader } from './engines.ts';

/** Returns the names of those that are leased, due later, or behind a leased page of their host. */
export async function readHeld(look: DatabaseReader, nowMs: number): Promise<readonly string[]> {
  const rows = await look.query<{ name: string }>(
    `SELECT id AS name FROM webhook_deliveries
       WHERE status = 'pending' AND (lease_ends_at_ms > ${nowMs} OR due_at_ms > ${nowMs})
     UNION ALL SELECT job_id || ' ' || number FROM scrape_pages
       WHERE status = 'pending' AND lane IN (
         SELECT lane FROM scrape_pages WHERE status = 'pending' AND lease_ends_at_ms > ${nowMs}
       )`,
  );
  return rows.map(({ name }) => name);
}

/** Returns a query for all except these. */
export function workExcept(names: readonly string[]): string {
  const known = ['', ...names].map((name) => `'${name}'`).join(', ');
  return `SELECT id AS name FROM webhook_deliveries WHERE status = 'pending' AND id NOT IN (${known})
    UNION ALL SELECT job_id || ' ' || number FROM scrape_pages
    WHERE status = 'pending' AND job_id || ' ' || number NOT IN (${known})`;
}
