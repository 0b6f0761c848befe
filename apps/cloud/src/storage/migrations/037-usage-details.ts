import type { Migration } from './migration.ts';

const COUNTS = ['requests', 'blocked', 'redacted', 'rejected', 'calls', 'call_errors', 'unmetered'];
const SUMS = ['input_tokens', 'output_tokens', 'scans', 'scan_us', 'call_ms'];

/** Daily usage by project, key, device and model, and an organization's model prices. */
export const usageDetails: Migration = {
  name: 'usage-details',
  async up(db) {
    let table = db.schema
      .createTable('usage_details')
      // No foreign key: usage is recorded with a decision, even while its organization is being deleted.
      .addColumn('organization_id', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('project_id', 'text', (c) => c.notNull())
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('device_id', 'text', (c) => c.notNull())
      .addColumn('model', 'text', (c) => c.notNull());
    for (const name of [...COUNTS, ...SUMS])
      table = table.addColumn(name, 'bigint', (c) => c.notNull()) as never;
    await table
      .addPrimaryKeyConstraint('usage_details_pk', [
        ...['organization_id', 'day', 'project_id', 'key_id', 'device_id', 'model'],
      ] as never)
      .execute();
    await db.schema
      .createTable('model_prices')
      .addColumn('organization_id', 'text', (c) =>
        c.primaryKey().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('prices', 'text', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .execute();
  },
};
