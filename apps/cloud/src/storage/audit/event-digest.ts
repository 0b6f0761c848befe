import { hash } from 'node:crypto';
import { canonicalJson } from '@csg/shared/text';
import type { SecurityEventsTable } from '../schema.ts';

const EVENT_FORMAT = 'csg-event-v1';

/**
 * Returns the SHA-256 of an event as it is stored, in lower-case hex: the line `csg-event-v1`, then the
 * columns that are not null as canonical JSON (RFC 8785). A column added by a later version does not change
 * the digests of older events.
 */
export function eventDigest(row: SecurityEventsTable): string {
  const columns: Record<string, unknown> = {};
  for (const name of Object.keys(row) as (keyof SecurityEventsTable)[])
    if (row[name] !== null) columns[name] = row[name];
  return hash('sha256', `${EVENT_FORMAT}\n${canonicalJson(columns)}`);
}
