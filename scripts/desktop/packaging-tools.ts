import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const BUILD_DIR = path.resolve(import.meta.dirname, '../../build');

/**
 * Installs the tools that only packaging needs (electron-builder and its 280 packages) into `build/node_modules`,
 * exactly as in its lock file. They would cost every `npm start` ten seconds. Throws if the registry is unreachable.
 */
export function ensurePackagingTools(): void {
  const wanted = readFileSync(path.join(BUILD_DIR, 'package-lock.json'), 'utf8');
  const stamp = path.join(BUILD_DIR, 'node_modules/.package-lock.json');
  if (existsSync(stamp) && hasSameVersions(wanted, readFileSync(stamp, 'utf8'))) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = spawnSync('npm', args, {
    cwd: BUILD_DIR,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (done.status === 0) return;
  const [why = 'npm was not found'] = `${done.stderr ?? ''}`.trim().split('\n');
  throw new Error(`The packaging tools could not be installed into build/: ${why}`);
}

interface Entry {
  readonly version?: string;
  readonly optional?: boolean;
}

function hasSameVersions(wanted: string, there: string): boolean {
  const packagesOf = (text: string) => JSON.parse(text).packages as Readonly<Record<string, Entry>>;
  const installed = packagesOf(there);
  return Object.entries(packagesOf(wanted)).every(
    ([name, { version, optional }]) =>
      name === '' || optional === true || installed[name]?.version === version,
  );
}
