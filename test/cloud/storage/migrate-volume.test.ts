/** A full database of the last revision on its way to today's tables and back: nothing is lost, and no row is changed. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { openEngine } from '../../../apps/cloud/src/storage/engines/open-engine.ts';
import type { Engine } from '../../../apps/cloud/src/storage/engines/sql-dialect.ts';
import { migrate } from '../../../apps/cloud/src/storage/migrate.ts';
import { MIGRATIONS } from '../../../apps/cloud/src/storage/migrations/all.ts';
import { restoreBackup } from '../../../apps/cloud/src/storage/restore-backup.ts';
import { writeBackup } from '../../../apps/cloud/src/storage/write-backup.ts';
import { missingTool } from '../../../scripts/system-tools.ts';
import { isCounted } from '../../support/cpu-time.ts';
import { createEmptyDatabase, dumpDatabase, noPostgres, restoreDump } from '../../support/databases.ts';
import { writeEmptyDatabase } from '../../support/empty-database.ts';
import { cases } from '../../support/part.ts';
import { fillStatement } from '../../support/statements/fill-tables.ts';
import { sqliteTables } from '../../support/statements/open-volume.ts';
import { HANG_LIMIT_MS } from '../../support/until.ts';

/** What revision 0dfd199e had. */
const LAST = MIGRATIONS.slice(
  0,
  MIGRATIONS.findIndex(({ name }) => name === 'audit-verifications'),
);
const EVENTS = cases(20_000, 200_000);
const ROWS: Readonly<Record<string, number>> = {
  ...{
    security_events: EVENTS,
    audit_rows: EVENTS,
    devices: 400,
    webhook_deliveries: 2_000,
    webhook_attempts: 2_000,
  },
  ...{
    users: 600,
    organizations: 600,
    exceptions: 500,
    tool_requests: 500,
    tool_reviews: 500,
    event_marks: 500,
  },
  ...{
    projects: 34,
    webhook_secrets: 20,
    webhooks: 20,
    webhook_pauses: 10,
    notification_targets: 10,
    audit_targets: 5,
  },
};
const MOST_CPU_MS = 60_000;

/** Ids and references as that revision made them. */
const REFERENCES = [
  ...Object.entries({
    ...{ exceptions: 'exc', tool_requests: 'treq', tool_reviews: 'trev', event_marks: 'fbk' },
    ...{ webhooks: 'whk_further', notification_targets: 'ntf' },
  }).map(([table, prefix]) => `update ${table} set id = '${prefix}_' || rowid`),
  `update webhook_deliveries set webhook_id = case when rowid % 3 = 0 then 'whk_further_' || (1 + rowid % 25) end`,
  `update webhook_deliveries set project_id = null where webhook_id is null and rowid % 7 = 0`,
  `update webhook_pauses set endpoint_id = case when rowid % 2 = 0 then 'whk_further_' else 'proj_' end || rowid`,
  `update notification_targets set quiet_hours = case when rowid % 2 = 0 then '{"from":"22:00"}' end`,
  `update notifications set target_id = 'ntf_' || (1 + rowid % 10)`,
  `update projects set policy_webhook = null where rowid % 3 > 0`,
  `update projects set webhook_url = null, webhook_events = null where rowid % 5 > 3`,
];

/** Writes the database of the last revision into a file. */
async function writeLast(file: string): Promise<void> {
  const engine = await openEngine({ file }, () => {});
  await migrate(engine.db, engine.dialect, LAST);
  await engine.close();
  const db = new Sqlite(file);
  db.pragma('foreign_keys = off');
  const numbers = (rows: number) =>
    `(with recursive r(n) as (select 1 union all select n + 1 from r where n < ${rows}) select n from r) where true`;
  for (const table of sqliteTables(db)) {
    const rows = ROWS[table.name] ?? 200;
    db.exec(fillStatement(table, numbers(rows), (text) => `cast(${text} as blob)`, rows));
  }
  for (const statement of REFERENCES) db.exec(statement);
  for (let isWhole = false; !isWhole; ) {
    const broken = db.pragma('foreign_key_check') as { table: string; rowid: number }[];
    for (const { table, rowid } of broken) db.prepare(`delete from "${table}" where rowid = ?`).run(rowid);
    isWhole = broken.length === 0;
  }
  db.close();
}

/** The same rows in PostgreSQL. */
async function copyRows(file: string, { db, dialect }: Engine): Promise<void> {
  await migrate(db, dialect, LAST);
  const source = new Sqlite(file, { readonly: true });
  for (const { name } of sqliteTables(source)) {
    const rows = source.prepare(`select * from "${name}"`).all();
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto(name as never)
        .values(rows.slice(at, at + 500) as never)
        .execute();
  }
  source.close();
}

type Columns = ReadonlyMap<string, readonly string[]>;

async function columnsOf(file: string): Promise<Columns> {
  const engine = await openEngine({ file }, () => {});
  const tables = await engine.db.introspection.getTables();
  await engine.close();
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}

async function ask(engine: Engine, text: string): Promise<readonly Record<string, unknown>[]> {
  return (await sql.raw<Record<string, unknown>>(text).execute(engine.db)).rows;
}

/** The rows of each table that both versions have, in no order. */
async function digests(engine: Engine): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const [table, columns] of kept) {
    const rows = await ask(engine, `select ${columns.map((name) => `"${name}"`)} from "${table}"`);
    const lines = rows.map((row) => createHash('sha256').update(JSON.stringify(row)).digest('hex')).sort();
    found[table] = `${rows.length} rows, ${createHash('sha256').update(lines.join()).digest('hex')}`;
  }
  return found;
}

/** Their rows are in `requests` and `endpoints` afterwards, or name their endpoint. */
const MOVED = [
  ...['exceptions', 'tool_requests', 'tool_reviews', 'event_marks', 'notifications'],
  ...['webhooks', 'webhook_secrets', 'webhook_pauses', 'audit_targets', 'notification_targets'],
];

const HAS_WEBHOOK = `(webhook_url is not null or webhook_events is not null
  or exists (select 1 from webhook_secrets s where s.project_id = projects.id))`;

/** A count of the last revision, and the one that has to be equal. */
const COUNTS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  exceptions: ['exceptions', `requests where kind = 'exception'`],
  'blocked tools': ['tool_requests', `requests where kind = 'tool_request'`],
  reviews: ['tool_reviews', `requests where kind = 'tool_review'`],
  reports: ['event_marks', `requests where kind = 'false_positive'`],
  'first webhooks': [
    `projects where ${HAS_WEBHOOK}`,
    `endpoints where kind = 'webhook' and id not like 'whk_further%'`,
  ],
  webhooks: [
    `(select id from projects where ${HAS_WEBHOOK} union all select id from webhooks) w`,
    `endpoints where kind = 'webhook'`,
  ],
  'policy endpoints': ['projects where policy_webhook is not null', `endpoints where kind = 'policy'`],
  'audit targets': ['audit_targets', `endpoints where kind = 'audit'`],
  'notification targets': ['notification_targets', `endpoints where kind = 'notification'`],
  'secrets of webhooks': [
    `(select 1 from webhook_secrets union all select 1 from webhooks where sealed_secret is not null) s`,
    `endpoints where kind = 'webhook' and sealed_secret is not null`,
  ],
  'messages that wait': ['notifications', 'notifications join endpoints e on e.id = endpoint_id'],
  'deliveries to first webhooks': [
    `webhook_deliveries d join projects on projects.id = d.project_id where webhook_id is null and ${HAS_WEBHOOK}`,
    `webhook_deliveries d join endpoints e on e.id = d.endpoint_id
     where e.kind = 'webhook' and e.id not like 'whk_further%'`,
  ],
  'deliveries to further webhooks': [
    'webhook_deliveries d join webhooks w on w.id = d.webhook_id',
    `webhook_deliveries d join endpoints e on e.id = d.endpoint_id
     where e.kind = 'webhook' and e.id like 'whk_further%'`,
  ],
  'deliveries of the audit log': [
    'webhook_deliveries where project_id is null',
    `webhook_deliveries where kind = 'audit'`,
  ],
};

async function counts(engine: Engine, side: 0 | 1): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const [name, sides] of Object.entries(COUNTS))
    found[name] = Number((await ask(engine, `select count(*) as count from ${sides[side]}`))[0]!['count']);
  return found;
}

/** Columns that each table has in both versions, by their names. */
let kept: Columns;

async function upgrade(engine: Engine, report: (line: string) => void): Promise<void> {
  const countsBefore = await counts(engine, 0);
  for (const [name, count] of Object.entries(countsBefore)) assert.ok(count > 0, `no ${name}`);
  const rowsBefore = await digests(engine);
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  assert.equal((await migrate(engine.db, engine.dialect)).length, MIGRATIONS.length - LAST.length);
  const { user, system } = process.cpuUsage(cpu);
  report(
    `${EVENTS} events: ${Math.round(performance.now() - start)} ms, ${Math.round((user + system) / 1_000)} ms of CPU time here`,
  );
  assert.ok(isCounted || (user + system) / 1_000 < MOST_CPU_MS, `${user + system} µs of CPU time`);
  assert.deepEqual(await counts(engine, 1), countsBefore);
  assert.deepEqual(await digests(engine), rowsBefore);
}

describe('A full database of the last revision', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-last-'));
  const dataDir = path.join(folder, 'data');
  const last = path.join(folder, 'last.sqlite');
  const file = path.join(dataDir, 'gateway.sqlite');
  before(async () => {
    await writeLast(last);
    await writeEmptyDatabase(folder);
    const [old, today] = [await columnsOf(last), await columnsOf(path.join(folder, 'gateway.sqlite'))];
    kept = new Map(
      [...old]
        .filter(([table]) => table !== 'meta' && !MOVED.includes(table))
        .map(([table, names]) => [table, names.filter((name) => today.get(table)?.includes(name))]),
    );
    mkdirSync(dataDir);
    copyFileSync(last, file);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('is upgraded on SQLite, and the backup of before is the way back', async (t) => {
    const backup = path.join(folder, 'backup');
    let engine = await openEngine({ file }, () => {});
    await writeBackup({ engine, dataDir, folder: backup });
    await upgrade(engine, (line) => t.diagnostic(line));
    const upgraded = await digests(engine);
    await engine.close();
    await restoreBackup({ folder: backup, dataDir, nowMs: 1 });
    engine = await openEngine({ file }, () => {});
    assert.deepEqual(await migrate(engine.db, engine.dialect, LAST), [], 'the last revision can use it');
    assert.deepEqual(await digests(engine), upgraded);
    await engine.close();
  });

  test('is upgraded on PostgreSQL, and a dump of before is the way back', {
    skip: noPostgres || missingTool(['postgres']),
  }, async (t) => {
    const times = { waitMs: HANG_LIMIT_MS, queryTimeoutMs: HANG_LIMIT_MS };
    const open = async () => {
      const { databaseUrl, drop } = await createEmptyDatabase();
      const engine = await openEngine({ databaseUrl, times }, () => {});
      t.after(async () => {
        await engine.close();
        await drop();
      });
      return { databaseUrl, engine };
    };
    const restored = async (dump: string) => {
      const { databaseUrl, engine } = await open();
      restoreDump(dump, databaseUrl);
      return engine;
    };
    const { databaseUrl, engine } = await open();
    await copyRows(last, engine);
    const [before, after] = ['before.dump', 'after.dump'].map((name) => path.join(folder, name));
    dumpDatabase(databaseUrl, before!);
    await upgrade(engine, (line) => t.diagnostic(line));
    const upgraded = await digests(engine);

    const way = await restored(before!);
    assert.deepEqual(await migrate(way.db, way.dialect, LAST), [], 'the last revision can use it');
    assert.deepEqual(await digests(way), upgraded);

    dumpDatabase(databaseUrl, after!);
    const copy = await restored(after!);
    assert.deepEqual(await migrate(copy.db, copy.dialect), [], 'this revision can use it');
    assert.deepEqual(await counts(copy, 1), await counts(engine, 1));
    assert.deepEqual(await digests(copy), upgraded);
  });
});
