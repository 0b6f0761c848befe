import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { BUNDLED_PACKAGES, bundleOf, bundlesFolder } from './packages.ts';

/**
 * Bundles each package into one file, once for each state of the lock file, and returns the name of their folder.
 * Nothing is removed or minified; shared code is in a separate file, so that a class exists only once.
 */
export async function bundlePackages(root: string): Promise<string> {
  const name = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(JSON.stringify(BUNDLED_PACKAGES))
    .update(readFileSync(import.meta.filename))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(bundlesFolder(root), name);
  if (existsSync(folder)) return name;
  const fresh = `${folder}.${process.pid}`;
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(BUNDLED_PACKAGES.map((one) => [bundleOf(one), one])),
    preserveEntrySignatures: 'strict',
    treeshake: false,
  });
  await bundle.write({ dir: fresh, entryFileNames: '[name]', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  // Another run has finished earlier.
  if (existsSync(folder)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, folder);
  return name;
}
