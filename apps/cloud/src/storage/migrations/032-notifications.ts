import type { Migration } from './migration.ts';

/** Notification targets, marks of what was notified, and queued notifications. */
export const notifications: Migration = {
  name: 'notifications',
  async up(db, types) {
    await db.schema
      .createTable('notification_targets')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('events', 'text')
      .addColumn('digest', 'text')
      .addColumn('quiet_hours', 'text')
      .addColumn('sealed_secret', types.blob)
      .addColumn('last_error', 'text')
      .addColumn('last_sent_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('notification_targets_organization')
      .on('notification_targets')
      .column('organization_id')
      .execute();
    await db.schema
      .createTable('notification_marks')
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('notification_marks_pk', ['organization_id', 'key'])
      .execute();
    await db.schema
      .createTable('notifications')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('target_id', 'text', (c) =>
        c.notNull().references('notification_targets.id').onDelete('cascade'),
      )
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('notifications_due').on('notifications').column('due_at_ms').execute();
    await db.schema.createIndex('notifications_target').on('notifications').column('target_id').execute();
  },
};
