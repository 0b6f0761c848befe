import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Events with a threat by confidence; events without one have no confidence and are not in the index. */
export const eventsByConfidence: Migration = {
  name: 'events-by-confidence',
  async up(db) {
    await db.schema
      .createIndex('security_events_confidence')
      .on('security_events')
      .columns(['organization_id', 'confidence', 'at_ms'])
      .where(sql<boolean>`threat_type is not null`)
      .execute();
  },
};
