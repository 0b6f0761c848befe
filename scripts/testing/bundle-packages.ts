import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, type InlineConfig } from 'vite';
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
  await buildAside({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: fresh,
      target: 'node24',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: Object.fromEntries(BUNDLED_PACKAGES.map((one) => [one, one])),
        preserveEntrySignatures: 'strict',
        treeshake: false,
        output: { entryFileNames: (chunk) => bundleOf(chunk.name), chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  // Another run has finished earlier.
  if (existsSync(folder)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, folder);
  return name;
}

/** Vite sets NODE_ENV, which every test would inherit: with `production` npm does not install development tools. */
async function buildAside(config: InlineConfig): Promise<void> {
  const { NODE_ENV } = process.env;
  try {
    await build(config);
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}
