/** The audit tables as an attacker with access to the database sees them. Hashes in hex. */
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { SEAL_CONTEXTS } from '../../apps/cloud/src/storage/sealing/seal-contexts.ts';
import { createSealer } from '../../apps/cloud/src/storage/sealing/sealer.ts';
import { MASTER_KEY } from './storage-engines.ts';

export interface RawRow {
  organization_id: string;
  seq: number;
  at_ms: number;
  kind: string;
  actor: string;
  subject: string;
  data: string;
  prev_hash: string;
  hash: string;
}

export interface RawHead {
  organization_id: string;
  seq: number;
  hash: string;
  seal: string;
}

export interface RawCheckpoint {
  organization_id: string;
  number: number;
  seq: number;
  hash: string;
  at_ms: number;
  file_id: string;
  key_id: string;
  signature: string;
}

export interface AuditTables {
  rows: RawRow[];
  heads: RawHead[];
  checkpoints: RawCheckpoint[];
  /** Rows, head and checkpoints as they were after row 20, or before row 40 was written. */
  restoreOld: (upTo: 20 | 39) => void;
  /** The seed of the key that signs checkpoints: its owner has the master key too. */
  seed: Buffer;
}

const ROW_COLUMNS = [
  'organization_id',
  'seq',
  'at_ms',
  'kind',
  'actor',
  'subject',
  'data',
  'prev_hash',
  'hash',
];
const HEAD_COLUMNS = ['organization_id', 'seq', 'hash', 'seal'];
const CHECKPOINT_COLUMNS = [
  'organization_id',
  'number',
  'seq',
  'hash',
  'at_ms',
  'file_id',
  'key_id',
  'signature',
];
const BLOBS: Record<string, readonly string[]> = {
  audit_rows: ['prev_hash', 'hash'],
  audit_heads: ['hash', 'seal'],
};

type Run = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

export async function openTables(options: { readonly dataDir: string; readonly databaseUrl?: string }) {
  const { run, close, place } = await connect(options);
  // A constraint does not stop an attacker.
  await run('CREATE TABLE audit_rows_bare AS SELECT * FROM audit_rows WHERE 1 = 0');
  await run('DROP TABLE audit_rows');
  await run('ALTER TABLE audit_rows_bare RENAME TO audit_rows');
  await run('CREATE INDEX audit_rows_bare ON audit_rows (organization_id, seq)');

  const readAll = async (table: string, columns: readonly string[]) =>
    (await run(`SELECT ${columns.join()} FROM ${table} ORDER BY organization_id, ${columns[1]}`)).map((row) =>
      Object.fromEntries(
        columns.map((name) => [
          name,
          Buffer.isBuffer(row[name])
            ? row[name].toString('hex')
            : typeof row[name] === 'string' && ['seq', 'at_ms', 'number'].includes(name)
              ? Number(row[name])
              : row[name],
        ]),
      ),
    );
  const writeAll = async (
    table: string,
    columns: readonly string[],
    rows: readonly object[],
  ): Promise<void> => {
    await run(`DELETE FROM ${table}`);
    const blobs = BLOBS[table] ?? [];
    for (const row of rows as Record<string, unknown>[]) {
      const values = columns.map((name) =>
        blobs.includes(name) ? Buffer.from(String(row[name]), 'hex') : row[name],
      );
      await run(
        `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map((_c, i) => place(i + 1)).join()})`,
        values,
      );
    }
  };

  const [secret] = await run("SELECT sealed FROM own_secrets WHERE name = 'auditCheckpoint'");
  const seed = createSealer({ current: MASTER_KEY, previous: [] }).openBytes(
    secret?.['sealed'] as Buffer,
    SEAL_CONTEXTS.ownSecret('auditCheckpoint'),
  );

  return {
    async read(): Promise<AuditTables> {
      return {
        rows: (await readAll('audit_rows', ROW_COLUMNS)) as unknown as RawRow[],
        heads: (await readAll('audit_heads', HEAD_COLUMNS)) as unknown as RawHead[],
        checkpoints: (await readAll('audit_checkpoints', CHECKPOINT_COLUMNS)) as unknown as RawCheckpoint[],
        restoreOld() {},
        seed,
      };
    },
    async write(tables: AuditTables): Promise<void> {
      await run('BEGIN');
      await writeAll('audit_rows', ROW_COLUMNS, tables.rows);
      await writeAll('audit_heads', HEAD_COLUMNS, tables.heads);
      await writeAll('audit_checkpoints', CHECKPOINT_COLUMNS, tables.checkpoints);
      await run('COMMIT');
    },
    run,
    close,
  };
}

export async function connect(options: {
  readonly dataDir: string;
  readonly databaseUrl?: string;
}): Promise<{ run: Run; close: () => Promise<void>; place: (n: number) => string }> {
  if (options.databaseUrl === undefined) {
    const db = new SqliteDatabase(path.join(options.dataDir, 'gateway.sqlite'));
    return {
      place: () => '?',
      async run(text, values = []) {
        const statement = db.prepare(text);
        if (statement.reader) return statement.all(...values) as Record<string, unknown>[];
        statement.run(...values);
        return [];
      },
      close: async () => void db.close(),
    };
  }
  const client = new pg.Client({ connectionString: options.databaseUrl });
  // The database may be dropped before this connection is closed.
  client.on('error', () => {});
  await client.connect();
  return {
    place: (n) => `$${n}`,
    run: async (text, values = []) => (await client.query(text, [...values])).rows,
    close: () => client.end(),
  };
}
