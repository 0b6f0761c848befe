import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folders = new Set<string>();

/** Creates a folder that is deleted when this process ends, however its tests ended. */
export function tempFolder(name: string): string {
  if (folders.size === 0) process.once('exit', removeAll);
  const folder = mkdtempSync(path.join(tmpdir(), `csg-${name}-`));
  folders.add(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
