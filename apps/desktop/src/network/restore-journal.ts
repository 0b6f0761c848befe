import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ProxyValues } from './system-proxy.ts';

/** How the machine was, and what we made of it. */
export interface RestoreEntry {
  readonly adapter: string;
  readonly before: ProxyValues;
  readonly ours: ProxyValues;
}

export type JournalState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'entry'; readonly entry: RestoreEntry }
  /** There was one, and it cannot be read. */
  | { readonly kind: 'damaged' };

/** One file. Synchronous: it is also played back when a process has no time left. */
export interface RestoreJournal {
  read(): JournalState;
  /** On the disk when it returns. Throws where it cannot be written: then nothing may be changed. */
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

/** The name has to last, too. Windows cannot do this to a folder, and does not need it. */
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
