import type { Migration } from './migration.ts';

/** Filters of events that an endpoint is notified of. */
export const eventAlerts: Migration = {
  name: 'event-alerts',
  async up(db) {
    await db.schema
      .createTable('event_alerts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('endpoint_id', 'text', (c) => c.notNull().references('endpoints.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('filter', 'text', (c) => c.notNull())
      .addColumn('threshold', 'integer', (c) => c.notNull())
      .addColumn('window_minutes', 'integer', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('notified_at_ms', 'bigint')
      .addColumn('due_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    const indexes = { of_organization: ['organization_id', 'name', 'id'], of_endpoint: ['endpoint_id'] };
    for (const [name, columns] of Object.entries({ ...indexes, due: ['due_at_ms'] }))
      await db.schema.createIndex(`event_alerts_${name}`).on('event_alerts').columns(columns).execute();
  },
};
