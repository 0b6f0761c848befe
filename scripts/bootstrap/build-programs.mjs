import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { findBuild, programsFolder } from './find-build.mjs';
import { withLockFile } from './lock-file.mjs';
import { runBuild } from './run-build.mjs';

const BUILDER = 'scripts/programs/build-programs.ts';

/**
 * Returns the build of the current sources, after making it if there is none; or a message that says why it could not
 * be made. Two parallel starts build once.
 * @param {string} root
 * @param {string} node the Node to build with
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('./find-build.mjs').Build | string>}
 */
export async function buildPrograms(root, node, signal) {
  const found = findBuild(root);
  if (found !== undefined) return found;
  const folder = programsFolder(root);
  try {
    mkdirSync(folder, { recursive: true });
    return await withLockFile(
      path.join(folder, 'lock'),
      'Another process is building the programs; waiting for it …',
      async () => {
        const made = findBuild(root);
        if (made !== undefined) return made;
        const problem = await runBuild(node, [path.join(root, BUILDER)], root, signal);
        return problem ?? findBuild(root) ?? 'The sources changed while they were built.';
      },
      signal,
    );
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}
