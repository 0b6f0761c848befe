import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInstalled, wantedPackages } from './is-installed.mjs';
import { withLockFile } from './lock-file.mjs';
import { runNpm } from './run-npm.mjs';

const HINT = `What to try:
  - "npm config get registry" must name a registry this machine can reach.
  - The project needs Node 20 or newer and npm 10 or newer to install itself.
  - Run "npm ci" by hand to see everything npm says, then start again.`;

/**
 * Installs exactly the packages of package-lock.json. Two parallel starts install once.
 * @param {string} root
 */
export async function installPackages(root) {
  // Outside node_modules, which npm empties.
  const lock = path.join(root, '.install.lock');
  await withLockFile(lock, 'Another process is installing the packages; waiting for it …', async () => {
    if (isInstalled(root)) return;
    const wanted = wantedPackages(root);
    const detail = () => {
      const done = wanted.filter(([name]) => existsSync(path.join(root, name, 'package.json'))).length;
      return `${done} of ${wanted.length}`;
    };
    const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    await runNpm(args, { cwd: root, label: 'Installing packages', hint: HINT, detail });
  });
}
