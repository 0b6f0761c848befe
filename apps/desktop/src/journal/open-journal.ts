/**
 * The agent's persistent data: decisions that wait for the service, the last configuration it signed, and digests of
 * answers that passed. One SQLite file. Called by the agent alone. Never contains a scanned text, never connects to the
 * service.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DeviceEvent } from '@csg/shared/contract';
import Database from 'better-sqlite3';
import { ANSWERS_KEPT, type KeptAnswer } from '../inspect/text-memory.ts';

export interface JournalOptions {
  readonly file: string;
  /** Beyond it the oldest events are dropped. */
  readonly maxEvents: number;
  readonly nowMs: number;
}

export interface CachedConfig {
  /** As received: the signature covers exactly this text. */
  readonly text: string;
  readonly etag: string | null;
}

export interface Journal {
  /** Durable when it returns. Ignores an event whose id is already stored. Throws on a full disk. */
  add(event: DeviceEvent): void;
  /** Returns the oldest events, up to `limit`. They stay until `forget`. */
  next(limit: number): readonly DeviceEvent[];
  forget(eventIds: readonly string[]): void;
  waiting(): number;
  /** Returns the total number of events dropped for newer ones. */
  dropped(): number;
  config(): CachedConfig | null;
  saveConfig(config: CachedConfig): void;
  /** Keeps the newest digests of answers. Throws on a full disk. */
  keepAnswers(digests: readonly string[], nowMs: number): void;
  /** Returns them, oldest first. */
  answers(): readonly KeptAnswer[];
  /** Path of an unreadable file that was set aside; null: there was none. */
  readonly setAside: string | null;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS answers (digest TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS answers_by_time ON answers (at_ms);
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Throws if the folder cannot be written. A file that is not a journal is set aside and a new one created. */
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
    // FULL survives a power loss: offline decisions are stored nowhere else.
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

/** SQLite copies the permissions of the first file to the other two. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
}

class DamagedJournal extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  // SQLITE_ERROR: our table names with another schema.
  return typeof code === 'string' && /^SQLITE_(?:CORRUPT|NOTADB|ERROR)/.test(code);
}

function putAside(file: string, nowMs: number): string {
  const backupFile = `${file}.damaged-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(file, backupFile);
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  return backupFile;
}

function answersOn(db: Database.Database): Pick<Journal, 'keepAnswers' | 'answers'> {
  const keep = db.prepare('INSERT OR REPLACE INTO answers (digest, at_ms) VALUES (?, ?)');
  const dropOld = db.prepare('DELETE FROM answers WHERE at_ms < ?');
  const count = db.prepare('SELECT COUNT(*) FROM answers').pluck();
  const dropOldest = db.prepare(
    'DELETE FROM answers WHERE digest IN (SELECT digest FROM answers ORDER BY at_ms LIMIT ?)',
  );
  const all = db.prepare('SELECT digest, at_ms AS atMs FROM answers ORDER BY at_ms');
  return {
    keepAnswers: db.transaction((digests: readonly string[], nowMs: number) => {
      for (const digest of digests) keep.run(digest, nowMs);
      dropOld.run(nowMs - ANSWERS_KEPT.forMs);
      dropOldest.run(Math.max(0, (count.get() as number) - ANSWERS_KEPT.most));
    }),
    answers: () => all.all() as KeptAnswer[],
  };
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
    ...answersOn(db),
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
