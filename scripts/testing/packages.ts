import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Packages with more than a hundred files each, which most test files load: 900 of the 2,800 files of a service. */
export const BUNDLED_PACKAGES = ['typebox', 'typebox/schema', 'kysely', 'libphonenumber-js'] as const;

/** The parent of all bundle folders: one for each state of the lock file. */
export const bundlesFolder = (root: string): string => path.join(root, 'node_modules/.cache/test-packages');

/** The file name of a package in a bundle folder. */
export const bundleOf = (name: string): string => `${name.replaceAll('/', '.')}.mjs`;

export interface Made {
  /** The name that `bundlePackages` returned. */
  readonly packages: string;
  /** Folder of the build of the programs; without it they run from their sources. */
  readonly programs?: string | undefined;
}

/** Returns the URL of the preload that loads what was made. */
export function quickImports(root: string, { packages, programs }: Made): string {
  const preload = pathToFileURL(path.join(root, 'scripts/testing/quick-imports.ts'));
  preload.searchParams.set('packages', packages);
  if (programs !== undefined) preload.searchParams.set('programs', programs);
  return preload.href;
}
