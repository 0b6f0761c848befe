import path from 'node:path';
import { parseSource } from '../../structure/parse-source.ts';

const BROWSER_FOLDERS = ['apps/cloud/dashboard/src/', 'apps/desktop/src/window/'];
/** Files whose source is sent to a browser. */
const BROWSER_FILES = ['apps/cloud/src/scrape/render/mark-hidden.ts'];
const BROWSER_GLOBALS = /\b(?:window|document|localStorage|location)\b/;

/**
 * True if a file can only run in a browser: it uses React or browser globals, directly or through an import. Tests in a
 * real browser run it, and Node does not record their coverage.
 */
export function isBrowserCode(file: string, read: (file: string) => string): boolean {
  if (BROWSER_FILES.includes(file)) return true;
  if (!BROWSER_FOLDERS.some((folder) => file.startsWith(folder))) return false;
  const text = read(file);
  return (
    BROWSER_GLOBALS.test(text) ||
    parseSource(file, text).imports.some(({ specifier, isType }) => {
      if (isType) return false;
      if (!specifier.startsWith('.')) return specifier.includes('react');
      return isBrowserCode(path.posix.join(path.posix.dirname(file), specifier), read);
    })
  );
}
