/**
 * What must survive the agent: decisions that wait for the service, and the last configuration it signed. One SQLite
 * file. Called by the agent alone. Never holds a text that was scanned, never speaks to the service.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DeviceEvent } from '@csg/shared/contract';
import Database from 'better-sqlite3';

export interface JournalOptions {
  readonly file: string;
  /** Beyond it the oldest give way. */
  readonly maxEvents: number;
  readonly nowMs: number;
}

export interface CachedConfig {
  /** As it was received: what is verified is what was signed. */
  readonly text: string;
  readonly etag: string | null;
}

export interface Journal {
  /** On the disk when it returns. An event that is there already, by its id, is not added again. Throws on a full disk. */
  add(event: DeviceEvent): void;
  /** The oldest, up to `limit`. They stay until they are forgotten. */
  next(limit: number): readonly DeviceEvent[];
  forget(eventIds: readonly string[]): void;
  waiting(): number;
  /** Events that gave way to newer ones, ever. */
  dropped(): number;
  config(): CachedConfig | null;
  saveConfig(config: CachedConfig): void;
  /** Where a file that could not be read was put; null: it could be. */
  readonly setAside: string | null;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Throws where the folder cannot be written. A file that is no journal is put aside and a new one begun. */
export function openJournal(options: JournalOptions): Journal {
  mkdirSync(path.dirname(options.file), { recursive: true, mode: 0o700 });
  let setAside: string | null = null;
  let db: Database.Database;
  try {
    db = openDatabase(options.file);
  } catch (error) {
    if (!isDamage(error) || !existsSync(options.file)) throw error;
    setAside = putAside(options.file, options.nowMs);
    db = openDatabase(options.file);
  }
  return { ...journalOn(db, options.maxEvents), setAside };
}

function openDatabase(file: string): Database.Database {
  keepPrivate(file);
  const db = new Database(file, { timeout: 5_000 });
  try {
    db.pragma('journal_mode = WAL');
    // Also after a power cut: what was decided offline is told nowhere else.
    db.pragma('synchronous = FULL');
    const [check] = db.pragma('quick_check(1)') as { quick_check: string }[];
    if (check?.quick_check !== 'ok') throw new DamagedJournal();
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite gives its other two files the permissions of the first one. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
}

class DamagedJournal extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  // SQLITE_ERROR: tables of another shape under the names of ours.
  return typeof code === 'string' && /^SQLITE_(?:CORRUPT|NOTADB|ERROR)/.test(code);
}

function putAside(file: string, nowMs: number): string {
  const backupFile = `${file}.damaged-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(file, backupFile);
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  return backupFile;
}

function journalOn(db: Database.Database, maxEvents: number): Omit<Journal, 'setAside'> {
  const insert = db.prepare('INSERT OR IGNORE INTO events (event_id, body) VALUES (?, ?)');
  const count = db.prepare('SELECT COUNT(*) FROM events').pluck();
  const oldest = db.prepare('SELECT event_id, body FROM events ORDER BY sequence LIMIT ?');
  const dropOldest = db.prepare(
    'DELETE FROM events WHERE sequence IN (SELECT sequence FROM events ORDER BY sequence LIMIT ?)',
  );
  const remove = db.prepare('DELETE FROM events WHERE event_id = ?');
  const fact = db.prepare('SELECT value FROM facts WHERE name = ?').pluck();
  const setFact = db.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)');
  const dropped = (): number => Number(fact.get('dropped') ?? 0);

  const add = db.transaction((event: DeviceEvent) => {
    insert.run(event.event_id, JSON.stringify(event));
    const excess = (count.get() as number) - maxEvents;
    if (excess <= 0) return;
    dropOldest.run(excess);
    setFact.run('dropped', String(dropped() + excess));
  });
  const forget = db.transaction((ids: readonly string[]) => {
    for (const id of ids) remove.run(id);
  });

  return {
    add: (event) => add(event),
    next: (limit) =>
      (oldest.all(limit) as { body: string }[]).map(({ body }) => JSON.parse(body) as DeviceEvent),
    forget: (ids) => forget(ids),
    waiting: () => count.get() as number,
    dropped,
    config() {
      const stored = fact.get('config') as string | undefined;
      return stored === undefined ? null : (JSON.parse(stored) as CachedConfig);
    },
    saveConfig: (config) => void setFact.run('config', JSON.stringify(config)),
    close: () => void db.close(),
  };
}
