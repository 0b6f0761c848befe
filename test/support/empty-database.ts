import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEngine } from '../../apps/cloud/src/storage/engines/sqlite-engine.ts';
import { migrate } from '../../apps/cloud/src/storage/migrate.ts';

const FILE = 'gateway.sqlite';

/** Copies a database with the current tables into the folder: a copy takes a tenth of the time of all migrations. */
export async function writeEmptyDatabase(dataDir: string): Promise<void> {
  database ??= makeDatabase();
  await writeFile(join(dataDir, FILE), await database, { mode: 0o600 });
}
let database: Promise<Buffer> | undefined;

async function makeDatabase(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'csg-empty-'));
  try {
    const engine = await openSqliteEngine(join(folder, FILE));
    await migrate(engine.db, engine.dialect);
    await engine.close();
    return await readFile(join(folder, FILE));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
