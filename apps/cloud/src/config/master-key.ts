import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const KEY_BYTES = 32;

/** Reads hex (64) or base64 (43/44 characters) into 32 bytes; throws one sentence otherwise. */
export function parseMasterKey(text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64');
  throw new Error('The master key must be 32 bytes, written as 64 hex digits or as base64.');
}

/**
 * Returns the master key from the environment, else from its file, else a new one, stored with mode 0600. Two processes
 * that start concurrently agree, because the file is created by link(2), which never overwrites.
 */
export function loadMasterKey(options: {
  readonly key?: string | undefined;
  readonly file?: string | undefined;
  readonly dataDir: string;
}): Buffer {
  if (options.key !== undefined) return parseMasterKey(options.key);
  const file = options.file ?? join(options.dataDir, 'master.key');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.tmp`;
  try {
    statSync(file);
  } catch {
    try {
      writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600 });
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return parseMasterKey(readFileSync(file, 'utf8'));
}

/** Returns the previous keys; throws a sentence that names the setting, never the key. */
export function loadPreviousKeys(options: {
  readonly keys?: string | undefined;
  readonly file?: string | undefined;
}): readonly Buffer[] {
  const read = (setting: string, text: string, separator: RegExp): Buffer[] =>
    text
      .split(separator)
      .filter((part) => part.trim() !== '')
      .map((part, index) => {
        try {
          return parseMasterKey(part);
        } catch (error) {
          throw new Error(`${setting}, key ${index + 1}: ${(error as Error).message}`);
        }
      });
  return [
    ...read('GATEWAY_MASTER_KEY_PREVIOUS', options.keys ?? '', /,/),
    ...(options.file === undefined
      ? []
      : read('GATEWAY_MASTER_KEY_PREVIOUS_FILE', readFileSync(options.file, 'utf8'), /\r?\n/)),
  ];
}
