import { join } from 'node:path';
import type { StorageLog, StorageOptions } from '../storage.ts';
import { openPostgresEngine } from './postgres-engine.ts';
import type { Engine } from './sql-dialect.ts';
import { openSqliteEngine } from './sqlite-engine.ts';

export const DATABASE_FILE = 'gateway.sqlite';
const DATABASE_WAIT_MS = 5_000;
const DATABASE_TIMEOUT_MS = 30_000;

/** Where the database is: what a thread needs to open it, too. */
export type DatabaseLocation =
  | { readonly file: string }
  | {
      readonly databaseUrl: string;
      readonly times: { readonly waitMs: number; readonly queryTimeoutMs: number };
    };

export function databaseOf(options: StorageOptions): DatabaseLocation {
  const { databaseUrl, dataDir } = options;
  if (databaseUrl === undefined) return { file: join(dataDir, DATABASE_FILE) };
  const {
    databaseWaitMs: waitMs = DATABASE_WAIT_MS,
    databaseTimeoutMs: queryTimeoutMs = DATABASE_TIMEOUT_MS,
  } = options;
  return { databaseUrl, times: { waitMs, queryTimeoutMs } };
}

/** Opens the database without looking at its schema. Throws StorageError if the file cannot be used. */
export async function openEngine(location: DatabaseLocation, log: StorageLog): Promise<Engine> {
  if ('file' in location) return await openSqliteEngine(location.file);
  return openPostgresEngine(location.databaseUrl, location.times, (error) =>
    log('warn', 'A database connection was lost', { cause: String(error) }),
  );
}
