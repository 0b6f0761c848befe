import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';

export interface StoredBytes {
  readonly events: number;
  readonly auditRows: number;
  /** Of the events table with its indexes, per event. */
  readonly eventBytes: number;
  /** Of the audit table with its indexes, per row. */
  readonly auditRowBytes: number;
}

/** What the record of a gateway takes in its database, which may be open. */
export function readStoredBytes(dataDir: string): StoredBytes {
  const db = new SqliteDatabase(path.join(dataDir, 'gateway.sqlite'), { readonly: true });
  try {
    const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    const bytes = (table: string) =>
      db
        .prepare(
          'SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)',
        )
        .pluck()
        .get(table) as number;
    const events = count('security_events');
    const auditRows = count('audit_rows');
    return {
      events,
      auditRows,
      eventBytes: bytes('security_events') / events,
      auditRowBytes: bytes('audit_rows') / auditRows,
    };
  } finally {
    db.close();
  }
}
