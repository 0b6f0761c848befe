import type { Migration } from './migration.ts';

/** Clients' addresses beside the audit log, by age: they are deleted after a while. */
export const auditAddressAge: Migration = {
  name: 'audit-address-age',
  async up(db) {
    await db.schema.createIndex('audit_addresses_age').on('audit_addresses').column('at_ms').execute();
  },
};
