import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const INSTALL_MS = 600_000;
const run = promisify(execFile);

/**
 * Installs rarely needed packages into a separate folder, once; the project itself does not depend on them. Rejects
 * with one sentence.
 */
export async function installPackages(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>> = {},
): Promise<void> {
  const isThere = Object.entries(dependencies).every(([name, version]) => {
    const file = path.join(folder, 'node_modules', name, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
  });
  if (isThere) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies, overrides }, null, 2),
  );
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  try {
    await run('npm', ['install', ...quiet], { cwd: folder, timeout: INSTALL_MS });
  } catch (error) {
    const code = /npm error code (\S+)/.exec((error as { stderr?: string }).stderr ?? '')?.[1];
    throw new Error(
      `npm could not install ${Object.keys(dependencies).join(', ')} (${code ?? 'no exit code'})`,
    );
  }
}
