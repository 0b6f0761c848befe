import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { lineToCheckpoint } from './audit/checkpoint.ts';
import { DATABASE_FILE } from './engines/open-engine.ts';
import type { Engine } from './engines/sql-dialect.ts';
import { StorageError } from './storage-error.ts';

export const CHECKPOINT_FILE = 'audit-checkpoints.jsonl';

/**
 * Copies the database first, then its checkpoints: checkpoints written in between are omitted, so that the backup is
 * consistent. Rejects an existing folder: a backup is never overwritten.
 */
export async function writeBackup(options: {
  readonly engine: Pick<Engine, 'copyTo'>;
  readonly dataDir: string;
  readonly folder: string;
}): Promise<void> {
  const { engine, dataDir, folder } = options;
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StorageError('rejected', `${folder} already exists. Name a new folder.`);
    throw new StorageError('rejected', `${folder} cannot be created (${code}).`, { cause: error });
  }
  const copy = join(folder, DATABASE_FILE);
  await engine.copyTo(copy);
  await chmod(copy, 0o600);
  const stored = finishCopy(copy);
  const lines = await readFile(join(dataDir, CHECKPOINT_FILE), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const retained = lines.split('\n').filter((line) => {
    const checkpoint = line === '' ? null : lineToCheckpoint(parse(line));
    return checkpoint === null || stored.has(`${checkpoint.organizationId} ${checkpoint.number}`);
  });
  if (lines !== '') await writeFile(join(folder, CHECKPOINT_FILE), retained.join('\n'), { mode: 0o600 });
}

/** Leaves one file, without a log that would have to be restored with it. Returns the checkpoints in the copy. */
function finishCopy(file: string): ReadonlySet<string> {
  const database = new SqliteDatabase(file);
  try {
    database.pragma('journal_mode = DELETE');
    const rows = database.prepare('select organization_id, number from audit_checkpoints').raw().all();
    return new Set(
      (rows as [string, number][]).map(([organizationId, number]) => `${organizationId} ${number}`),
    );
  } finally {
    database.close();
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
