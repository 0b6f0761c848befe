import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { ReceivedWebhook } from '../../../test/support/receiver/receiver.ts';
import type { Kind } from './kinds.ts';
import type { Sent } from './load.ts';

export interface RecordCounts {
  readonly events: number;
  readonly auditRows: number;
  readonly counted: number;
  readonly deliveries: number;
  /** Sentences about records that differ from the responses. */
  readonly problems: readonly string[];
}

/** Returns the number of deliveries that have neither succeeded nor failed. */
export function pendingDeliveries(dataDir: string): number {
  return readDatabase(dataDir, (query) =>
    query("SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'"),
  );
}

/** Compares the records with the sent requests. Call it after the service has ended. */
export function checkRecords(
  dataDir: string,
  load: Sent,
  received: readonly ReceivedWebhook[],
): RecordCounts {
  return readDatabase(dataDir, (query, db) => {
    const rows = db
      .prepare('SELECT request_id AS id, count(*) AS events FROM security_events GROUP BY request_id')
      .all() as { id: string; events: number }[];
    const problems = eventProblems(load, rows);

    const events = query('SELECT count(*) FROM security_events');
    const auditRows = query("SELECT count(*) FROM audit_rows WHERE kind IN ('policy_allow', 'policy_block')");
    if (auditRows !== events) problems.push(`${events} events, but ${auditRows} audit rows of decisions`);
    const counted = query('SELECT sum(requests) FROM usage_counters WHERE length(period) = 7');
    if (counted !== rows.length) problems.push(`${rows.length} requests with events, but ${counted} counted`);

    const due = [...load.expected.values()].reduce((sum, kind) => sum + kind.notices, 0);
    const deliveries = query('SELECT count(*) FROM webhook_deliveries');
    const undelivered = query("SELECT count(*) FROM webhook_deliveries WHERE status <> 'delivered'");
    const arrived = new Set(received.map(({ headers }) => headers['x-service-delivery'])).size;
    if (deliveries !== due || undelivered > 0 || arrived !== due) {
      problems.push(
        `webhooks: ${due} expected, ${deliveries} stored, ${undelivered} undelivered, ${arrived} received`,
      );
    }
    return { events, auditRows, counted, deliveries, problems };
  });
}

/** `rows`: the number of recorded events of each request. */
function eventProblems(
  load: Sent,
  rows: readonly { readonly id: string; readonly events: number }[],
): string[] {
  const problems: string[] = [];
  const unknown = rows.filter(({ id }) => !load.expected.has(id));
  if (unknown.length !== load.left || unknown.some(({ events }) => events !== 1)) {
    problems.push(
      `${load.left} clients disconnected, but ${unknown.length} requests without a response have events`,
    );
  }
  const found = new Map(rows.map(({ id, events }) => [id, events]));
  const wrong = new Map<Kind, number>();
  for (const [id, kind] of load.expected) {
    if ((found.get(id) ?? 0) !== kind.events) wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of wrong)
    problems.push(`${kind.name}: ${count} requests without exactly ${kind.events} events`);
  return problems;
}

function readDatabase<T>(
  dataDir: string,
  read: (query: (sql: string) => number, db: SqliteDatabase.Database) => T,
): T {
  const db = new SqliteDatabase(path.join(dataDir, 'gateway.sqlite'), { readonly: true });
  try {
    return read((sql) => Number(db.prepare(sql).pluck().get()), db);
  } finally {
    db.close();
  }
}
