import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const INSTALL_MS = 120_000;
const run = promisify(execFile);

/** Installs a peer into a folder of its own, once. Rejects with one sentence when that cannot be done. */
export async function installPeer(
  folder: string,
  name: string,
  version: string,
  overrides: Readonly<Record<string, string>> = {},
): Promise<void> {
  const installed = path.join(folder, 'node_modules', name, 'package.json');
  if (existsSync(installed) && JSON.parse(readFileSync(installed, 'utf8')).version === version) return;
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: { [name]: version }, overrides };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  try {
    await run('npm', ['install', ...quiet], { cwd: folder, timeout: INSTALL_MS });
  } catch (error) {
    const code = /npm error code (\S+)/.exec((error as { stderr?: string }).stderr ?? '')?.[1];
    throw new Error(`npm could not install ${name} ${version} (${code ?? 'no answer'})`);
  }
}
