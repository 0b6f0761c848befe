import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes a file that only its owner can read: it may contain a proxy password. Returns a sentence, or null. */
export function writeServiceFile(file: string, text: string | Uint8Array): string | null {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    // `mode` applies only to a new file.
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600 });
    return null;
  } catch (error) {
    return fileProblem(file, error);
  }
}

export function removeServiceFile(file: string): string | null {
  try {
    rmSync(file, { force: true });
    return null;
  } catch (error) {
    return fileProblem(file, error);
  }
}

function fileProblem(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const who = code === 'EACCES' || code === 'EPERM' ? ' Run the command as an administrator.' : '';
  return `${file} cannot be changed (${code}).${who}`;
}
