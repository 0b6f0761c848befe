/**
 * Preloaded by `npm test`: a test of the service loads 2,800 files, and resolving them takes longer than running them.
 * Files of this project are resolved without the file system (a missing file is still an error), and some packages are
 * one file each (`?packages=` the name that `bundlePackages` returned). Programs and threads that a test starts run from
 * the build (`?programs=` its folder); what a test imports is always a source.
 */
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { programsOf } from '../bootstrap/find-build.mjs';
import { BUNDLED_PACKAGES, bundleOf, bundlesFolder } from './packages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const made = new URL(import.meta.url).searchParams;
const name = made.get('packages') ?? '';
const build = made.get('programs');
const programs = new Map(
  [...(build === null ? [] : programsOf(root, build))].map(([source, built]) => [
    pathToFileURL(source).href,
    pathToFileURL(built).href,
  ]),
);
const bundles = new Map<string, string>(
  BUNDLED_PACKAGES.map((one) => [
    one,
    pathToFileURL(path.join(bundlesFolder(root), name, bundleOf(one))).href,
  ]),
);

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (specifier.startsWith('.') && specifier.endsWith('.ts') && parentURL !== undefined)
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    const bundle = bundles.get(specifier) ?? programs.get(specifier);
    if (bundle === undefined) return next(specifier, context);
    return { url: bundle, format: 'module', shortCircuit: true };
  },
});
