import type Sqlite from 'better-sqlite3';
import type { ChainedRow, LastRow } from '../audit/chain.ts';
import type { Database, LabelUsageRow, UsageDetailRow } from '../schema.ts';
import type { PreparedDecision } from './batch.ts';
import { LABEL_COLUMNS, USAGE_COLUMNS, USAGE_COUNTS } from './usage-rows.ts';

/** Prepared once: building each statement with Kysely costs more than SQLite's write. */
export function prepareSqliteStatements(db: Sqlite.Database) {
  const insertEvents = prepareRows(
    db,
    21,
    (values) => `INSERT INTO security_events (id, organization_id, project_id, key_id, device_id, request_id,
      direction, route, model, decision, threat_type, confidence, findings, unscanned, failed, latency_us, at_ms,
      judged_by, decided_by, session, tags)
      VALUES ${values} ON CONFLICT (id) DO NOTHING`,
    // biome-ignore format: one value for each column, in the statement's order
    ({ event: e }: PreparedDecision) => [
      e.id, e.organization_id, e.project_id, e.key_id, e.device_id, e.request_id,
      e.direction, e.route, e.model, e.decision, e.threat_type, e.confidence, e.findings, e.unscanned, e.failed, e.latency_us, e.at_ms,
      e.judged_by, e.decided_by, e.session, e.tags,
    ],
  );
  const insertDeliveries = prepareRows(
    db,
    15,
    (
      values,
    ) => `INSERT INTO webhook_deliveries (id, organization_id, project_id, endpoint_id, kind, event, event_id, payload, is_test,
      status, attempts, failures, due_at_ms, lease_ends_at_ms, created_at_ms) VALUES ${values}
      ON CONFLICT (id) DO NOTHING`,
    // biome-ignore format: one value for each column, in the statement's order
    (row: Database['webhook_deliveries']) => [
      row.id, row.organization_id, row.project_id, row.endpoint_id, row.kind, row.event, row.event_id, row.payload, row.is_test,
      row.status, row.attempts, row.failures, row.due_at_ms, row.lease_ends_at_ms, row.created_at_ms,
    ],
  );
  const insertRows = prepareRows(
    db,
    9,
    (
      values,
    ) => `INSERT INTO audit_rows (organization_id, seq, at_ms, kind, actor, subject, data, prev_hash, hash)
      VALUES ${values}`,
    // biome-ignore format: one value for each column, in the statement's order
    (row: ChainedRow) => [
      row.organizationId, row.seq, row.atMs, row.kind, row.actor, row.subject, row.data,
      Buffer.from(row.prevHash, 'hex'), Buffer.from(row.hash, 'hex'),
    ],
  );
  const selectHead = db.prepare<
    [string],
    { organization_id: string; seq: number; hash: Buffer; seal: Buffer }
  >('SELECT organization_id, seq, hash, seal FROM audit_heads WHERE organization_id = ?');
  const selectLast = db.prepare<[string], LastRow>(
    'SELECT seq, hash FROM audit_rows WHERE organization_id = ? ORDER BY seq DESC LIMIT 1',
  );
  const writeHead = db.prepare(
    `INSERT INTO audit_heads (organization_id, seq, hash, seal) VALUES (?, ?, ?, ?)
     ON CONFLICT (organization_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, seal = excluded.seal`,
  );
  const selectUsed = db.prepare<[string, string], { requests: number }>(
    'SELECT requests FROM usage_counters WHERE account_id = ? AND period = ?',
  );
  const addUsage = db.prepare(
    `INSERT INTO usage_counters (account_id, period, requests, device_requests) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, period) DO UPDATE SET requests = requests + excluded.requests,
       device_requests = device_requests + excluded.device_requests`,
  );
  const addDetails = prepareRows(
    db,
    USAGE_COLUMNS.length,
    (values) => `INSERT INTO usage_details (${USAGE_COLUMNS.join(', ')}) VALUES ${values}
     ON CONFLICT (organization_id, day, project_id, key_id, device_id, model)
     DO UPDATE SET ${ADDED}`,
    (row: UsageDetailRow) => USAGE_COLUMNS.map((column) => row[column]),
  );
  const addLabels = prepareRows(
    db,
    LABEL_COLUMNS.length,
    (values) => `INSERT INTO usage_labels (${LABEL_COLUMNS.join(', ')}) VALUES ${values}
     ON CONFLICT (organization_id, project_id, day, label, key_id, device_id, model)
     DO UPDATE SET ${ADDED}`,
    (row: LabelUsageRow) => LABEL_COLUMNS.map((column) => row[column]),
  );
  const touchKey = db.prepare('UPDATE keys SET last_used_at_ms = ? WHERE id = ?');
  return {
    insertEvents,
    insertDeliveries,
    insertRows,
    selectHead,
    selectLast,
    writeHead,
    selectUsed,
    addUsage,
    addDetails,
    addLabels,
    touchKey,
  };
}

const ADDED = USAGE_COUNTS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ');

/** More rows in one statement are not faster. */
const MAX_ROWS = 16;

/**
 * Prepares an INSERT of several rows, up to 16 in one statement: a call of SQLite costs about as much as a row.
 * `textOf` gets the text after VALUES. The result inserts rows and returns how many were written.
 */
export function prepareRows<Row>(
  db: Sqlite.Database,
  columns: number,
  textOf: (values: string) => string,
  valuesOf: (row: Row) => readonly unknown[],
): (rows: readonly Row[]) => number {
  const row = `(${Array(columns).fill('?').join(',')})`;
  const statements = new Map<number, Sqlite.Statement>();

  function statementFor(count: number): Sqlite.Statement {
    let statement = statements.get(count);
    if (statement === undefined) {
      statement = db.prepare(textOf(Array(count).fill(row).join(',')));
      statements.set(count, statement);
    }
    return statement;
  }

  return (rows) => {
    let written = 0;
    for (let from = 0; from < rows.length; from += MAX_ROWS) {
      const values: unknown[] = [];
      const until = Math.min(from + MAX_ROWS, rows.length);
      for (let at = from; at < until; at++) values.push(...valuesOf(rows[at]!));
      // Spread, because the driver binds an array more slowly: 6% of the whole record.
      written += statementFor(until - from).run(...values).changes;
    }
    return written;
  };
}
