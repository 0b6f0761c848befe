import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Packages of more than a hundred files each, which most test files load: 900 of the 2,800 files of a service. */
export const BUNDLED_PACKAGES = ['typebox', 'typebox/schema', 'kysely', 'libphonenumber-js'] as const;

/** Of all folders of bundles: one for each state of the lock file. */
export const bundlesFolder = (root: string): string => path.join(root, 'node_modules/.cache/test-packages');

/** The file of a package in a folder of bundles. */
export const bundleOf = (name: string): string => `${name.replaceAll('/', '.')}.mjs`;

/** The address of the preload that reads the bundles of that name. */
export function quickImports(root: string, bundles: string): string {
  const preload = pathToFileURL(path.join(root, 'scripts/testing/quick-imports.ts'));
  preload.searchParams.set('packages', bundles);
  return preload.href;
}
