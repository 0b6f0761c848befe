import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { DATABASE_FILE } from './engines/open-engine.ts';
import { StorageError } from './storage-error.ts';
import { CHECKPOINT_FILE } from './write-backup.ts';

const LOGS = ['-wal', '-shm', '-journal'];

/**
 * Puts a backup in the place of the database, and does not migrate it: an older version may be meant to use it. What
 * was there moves into a folder of its own, together with SQLite's log, which would be applied to any database beside
 * it. Returns that folder; null if there was no database. Rejects a database in use, and a folder that is no backup.
 */
export async function restoreBackup(options: {
  readonly folder: string;
  readonly dataDir: string;
  readonly nowMs: number;
}): Promise<string | null> {
  const { folder, dataDir, nowMs } = options;
  if (!existsSync(join(folder, DATABASE_FILE)))
    throw new StorageError('rejected', `${folder} is not a backup: it has no ${DATABASE_FILE}.`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if ((await realpath(folder)) === (await realpath(dataDir)))
    throw new StorageError('rejected', `${folder} is the data folder itself. Name the folder of a backup.`);
  const draft = join(dataDir, `${DATABASE_FILE}.restoring`);
  try {
    await copyDatabase(join(folder, DATABASE_FILE), draft);
    rejectIfUsed(join(dataDir, DATABASE_FILE));
    const replaced = await moveAside(dataDir, nowMs);
    await rename(draft, join(dataDir, DATABASE_FILE));
    const checkpoints = join(folder, CHECKPOINT_FILE);
    if (existsSync(checkpoints)) {
      await copyFile(checkpoints, join(dataDir, CHECKPOINT_FILE));
      await chmod(join(dataDir, CHECKPOINT_FILE), 0o600);
    }
    return replaced;
  } finally {
    for (const end of ['', ...LOGS]) await rm(draft + end, { force: true });
  }
}

/** Copies a database that is not in use, with its log if it has one, into one complete file. */
async function copyDatabase(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  await chmod(target, 0o600);
  if (existsSync(`${source}-wal`)) await copyFile(`${source}-wal`, `${target}-wal`);
  try {
    const database = new SqliteDatabase(target);
    try {
      database.pragma('journal_mode = DELETE');
      database.prepare('select 1 from meta').get();
      if (database.pragma('quick_check(1)', { simple: true }) === 'ok') return;
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
    throw new StorageError('rejected', `${source} is not a complete database of this service.`, {
      cause: error,
    });
  }
  throw new StorageError('rejected', `${source} is damaged.`);
}

/** Only the last connection to a database can end its log. */
function rejectIfUsed(file: string): void {
  if (!existsSync(file)) return;
  const database = new SqliteDatabase(file, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
  } catch (error) {
    // Any other error: a damaged database, which the backup replaces.
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new StorageError('rejected', 'The database is in use. Stop the service, then restore.', {
        cause: error,
      });
  } finally {
    database.close();
  }
}

async function moveAside(dataDir: string, nowMs: number): Promise<string | null> {
  const names = [DATABASE_FILE, ...LOGS.map((end) => DATABASE_FILE + end), CHECKPOINT_FILE];
  const present = names.filter((name) => existsSync(join(dataDir, name)));
  if (present.length === 0) return null;
  const folder = join(dataDir, `replaced-${new Date(nowMs).toISOString().replaceAll(':', '-')}`);
  await mkdir(folder, { mode: 0o700 });
  for (const name of present) await rename(join(dataDir, name), join(folder, name));
  return folder;
}
