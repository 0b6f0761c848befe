import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ProxyValues } from './system-proxy.ts';

/** The computer's values before our change, and the values that we set. */
export interface RestoreEntry {
  readonly adapter: string;
  readonly before: ProxyValues;
  readonly ours: ProxyValues;
}

export type JournalState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'entry'; readonly entry: RestoreEntry }
  /** The file exists but cannot be read. */
  | { readonly kind: 'damaged' };

/** One file. Synchronous, because it is also used when a process is about to end. */
export interface RestoreJournal {
  read(): JournalState;
  /** Durable when it returns. Throws if it cannot be written: then nothing may be changed. */
  write(entry: RestoreEntry): void;
  clear(): void;
}

export function openRestoreJournal(file: string): RestoreJournal {
  return {
    read() {
      let text: string;
      try {
        text = readFileSync(file, 'utf8');
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT' ? { kind: 'empty' } : { kind: 'damaged' };
      }
      try {
        const entry = JSON.parse(text) as RestoreEntry;
        return isEntry(entry) ? { kind: 'entry', entry } : { kind: 'damaged' };
      } catch {
        return { kind: 'damaged' };
      }
    },
    write(entry) {
      const draft = `${file}.${process.pid}.new`;
      const handle = openSync(draft, 'w', 0o600);
      try {
        writeSync(handle, JSON.stringify(entry));
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(draft, file);
      syncFolder(path.dirname(file));
    },
    clear() {
      rmSync(file, { force: true });
    },
  };
}

/** The file name must be durable, too. Windows cannot sync a folder, and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function isEntry(entry: unknown): entry is RestoreEntry {
  const { adapter, before, ours } = (entry ?? {}) as Partial<RestoreEntry>;
  return typeof adapter === 'string' && isValues(before) && isValues(ours);
}

function isValues(values: unknown): values is ProxyValues {
  return (
    typeof values === 'object' && values !== null && Object.values(values).every((v) => typeof v === 'string')
  );
}
