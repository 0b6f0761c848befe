import { spawnSync } from 'node:child_process';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { findTool } from '../../../scripts/system-tools.ts';
import { createTestDatabase } from '../databases.ts';
import { writeEmptyDatabase } from '../empty-database.ts';
import { exampleOf, type PlanNode, postgresFactor, sqliteFactor } from './costs.ts';
import { fillStatement, type TableShape } from './fill-tables.ts';
import type { RecordedStatement } from './record-statements.ts';

/** A database with many rows in every table. */
export interface Volume {
  /** How many times more rows the statement visits than it returns or is limited to. Changes nothing. */
  factorOf(statement: RecordedStatement): Promise<number>;
  close(): Promise<void>;
}

const LARGE = 100_000;
const ROOT = path.resolve(import.meta.dirname, '../../..');

export async function openSqliteVolume(folder: string, rows: number): Promise<Volume> {
  await writeEmptyDatabase(folder);
  const db = new Sqlite(path.join(folder, 'gateway.sqlite'));
  db.pragma('foreign_keys = off');
  db.pragma('synchronous = off');
  db.pragma('cache_size = -500000');
  // Indexes of filled tables are built in a third of the time; in the same order, because it decides between equals.
  const indexes = db
    .prepare(
      "select name, sql from sqlite_master where type = 'index' and sql like 'create index%' order by rowid",
    )
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) db.exec(`drop index "${name}"`);
  const source = `(with recursive r(n) as (select 1 union all select n + 1 from r where n < ${rows}) select n from r) where true`;
  for (const table of sqliteTables(db))
    db.exec(fillStatement(table, source, (text) => `cast(${text} as blob)`, rows));
  for (const { sql } of indexes) db.exec(sql);
  db.pragma('foreign_keys = on');
  db.loadExtension(buildStepCounter(folder));
  const steps = db.prepare('select vm_steps()').pluck();
  const indexesOf = db.prepare('select count(*) from pragma_index_list(?)').pluck();
  return {
    async factorOf(statement) {
      const { sql, parameters, limit } = exampleOf(statement);
      const prepared = db.prepare(sql);
      const changed = indexesOf.get(/^(?:update|delete from|insert into) "(\w+)"/.exec(sql)?.[1]) as number;
      db.exec('begin');
      try {
        steps.get();
        const returned = prepared.reader
          ? prepared.all(...parameters).length
          : prepared.run(...parameters).changes;
        return sqliteFactor(steps.get() as number, returned, limit, changed);
      } finally {
        db.exec('rollback');
      }
    },
    async close() {
      db.close();
    },
  };
}

/** better-sqlite3 counts no steps; it brings the headers with which an extension can. */
function buildStepCounter(folder: string): string {
  const built = path.join(folder, 'steps.so');
  const headers = path.join(ROOT, 'node_modules/better-sqlite3/deps/sqlite3');
  const source = path.join(import.meta.dirname, 'steps.c');
  const { status, stderr, error } = spawnSync(
    findTool('compiler')!,
    ['-shared', '-fPIC', '-I', headers, '-o', built, source],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The extension cannot be compiled: ${stderr ?? error}`);
  return built;
}

export function sqliteTables(db: Sqlite.Database): TableShape[] {
  const names = db
    .prepare(
      "select name from sqlite_master where type = 'table' and name not in ('meta', 'sqlite_sequence')",
    )
    .pluck()
    .all() as string[];
  return names.map((name) => ({
    name,
    columns: (
      db.pragma(`table_info("${name}")`) as { name: string; type: string; notnull: number; pk: number }[]
    ).map((column) => ({
      name: column.name,
      type: typeOf(column.type),
      isNullable: column.notnull === 0 && column.pk === 0,
    })),
    unique: (db.pragma(`index_list("${name}")`) as { name: string; unique: number }[])
      .filter(({ unique }) => unique === 1)
      .map((index) =>
        (db.pragma(`index_info("${index.name}")`) as { name: string }[]).map((column) => column.name),
      ),
  }));
}

const typeOf = (type: string): TableShape['columns'][number]['type'] =>
  /blob|bytea/i.test(type) ? 'bytes' : /int|double/i.test(type) ? 'number' : 'text';

export async function openPostgresVolume(folder: string, rows: number): Promise<Volume> {
  // The same tables and columns on both engines.
  await writeEmptyDatabase(folder);
  const model = new Sqlite(path.join(folder, 'gateway.sqlite'), { readonly: true });
  const tables = sqliteTables(model);
  model.close();
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query("set maintenance_work_mem = '500MB'");
  const { rows: indexes } = await client.query(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as sql from pg_index
     where not indisunique and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
     order by indexrelid`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const source = `generate_series(1::bigint, ${rows}) as s(n)`;
  for (const table of tables)
    await client.query(fillStatement(table, source, (text) => `convert_to(${text}, 'UTF8')`, rows));
  for (const { sql } of indexes) await client.query(sql);
  await client.query('set session_replication_role = origin');
  await client.query('analyze');
  // A small table is read faster whole: then the plans show whether an index serves.
  if (rows < LARGE) await client.query('set enable_seqscan = off');
  return {
    async factorOf(statement) {
      const { sql, parameters, limit } = exampleOf(statement);
      let number = 0;
      const text = sql.replace(/\?/g, () => `$${++number}`);
      await client.query('begin');
      try {
        const { rows: answer } = await client.query(
          `explain (analyze, timing off, costs off, format json) ${text}`,
          [...parameters],
        );
        return postgresFactor((answer[0]['QUERY PLAN'] as { Plan: PlanNode }[])[0]!.Plan, limit);
      } catch (error) {
        throw new Error(`${statement.methods}: ${(error as Error).message}: ${text.slice(0, 400)}`);
      } finally {
        await client.query('rollback');
      }
    },
    async close() {
      await client.end();
      await database.drop();
    },
  };
}
