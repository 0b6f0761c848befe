import path from 'node:path';
import type { ParsedSource } from '../../structure/parse-source.ts';

const BROWSER_FOLDERS = ['apps/cloud/dashboard/src/', 'apps/desktop/src/window/'];
/** Files whose source is sent to a browser. */
const BROWSER_FILES = ['apps/cloud/src/scrape/render/mark-hidden.ts'];
const BROWSER_GLOBALS = ['window', 'document', 'localStorage', 'location'];

/**
 * True if a file can only run in a browser: it uses React or browser globals, directly or through an import. Tests in a
 * real browser run it, and Node does not record their coverage.
 */
export function isBrowserCode(
  file: string,
  parse: (file: string) => Pick<ParsedSource, 'imports' | 'uses'>,
): boolean {
  if (BROWSER_FILES.includes(file)) return true;
  if (!BROWSER_FOLDERS.some((folder) => file.startsWith(folder))) return false;
  const { imports, uses } = parse(file);
  return (
    uses.some(({ name }) => BROWSER_GLOBALS.includes(name.split('.')[0] ?? '')) ||
    imports.some(({ specifier, isType }) => {
      if (isType) return false;
      if (!specifier.startsWith('.')) return specifier.includes('react');
      return isBrowserCode(path.posix.join(path.posix.dirname(file), specifier), parse);
    })
  );
}
