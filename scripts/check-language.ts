/**
 * Plain professional English in names, sentences and comments, one area at a time: an area that is clean stands in
 * CLEAN_AREAS and stays clean.
 *   check-language.ts [--all]   lists what is left everywhere, and how much of it per area
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pageViolations, sourceViolations } from './structure/language-violations.ts';
import { listFiles } from './structure/list-files.ts';
import type { Violation } from './structure/room-violations.ts';

/** Folders and files, without a slash at the end; `.` is everything. */
export const CLEAN_AREAS: readonly string[] = [
  'shared/theme',
  'shared/detection/detectors',
  'shared/detection/model',
  'shared/detection/normalize',
  'shared/detection/pieces',
  'shared/detection/pii',
  'shared/detection/policies',
  'shared/detection/read',
  'shared/detection/exception-scope.ts',
  'apps/cloud/src/email',
  'apps/cloud/src/fairness',
  'apps/cloud/src/gateway',
  'apps/cloud/src/mcp',
  'apps/cloud/src/openapi',
  'apps/cloud/dashboard/src',
  'apps/desktop/src/bridge',
  'apps/desktop/src/journal',
  'apps/desktop/src/main',
  'apps/desktop/src/preload',
  'apps/desktop/src/window',
  'scripts/bench',
  'scripts/charts',
  'scripts/demo',
  'scripts/golden',
  'scripts/testing',
  'docs/dashboard.md',
  'docs/desktop-app.md',
  'docs/examples',
  'docs/gallery',
  'test/dashboard',
  'test/desktop/bridge',
  'test/e2e/dashboard-pages.test.ts',
  'test/e2e/desktop-window.test.ts',
  'build',
];

/** Data that is words: what attacks say, recorded bodies, files that are made. */
const WORDS_AS_DATA =
  /^(?:shared\/detection\/(?:rules|lexicon)\/|apps\/cloud\/src\/security-testing\/|scripts\/detector\/(?:grammar|probe)|scripts\/structure\/banned-words|test\/(?:fixtures|golden)\/|shared\/client\/schema)/;
const FOLDERS = ['apps', 'build', 'docs', 'scripts', 'shared', 'test'];
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** True for a file of one of the areas. */
export function isIn(areas: readonly string[], file: string): boolean {
  return areas.some((area) => area === '.' || file === area || file.startsWith(`${area}/`));
}

export function languageViolations(root: string, areas: readonly string[]): Violation[] {
  const files = [...listFiles(root, FOLDERS, ['.ts', '.tsx', '.mjs', '.md']), ...PAGES].filter(
    (file) => isIn(areas, file) && !WORDS_AS_DATA.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return file.endsWith('.md') ? pageViolations(file, text) : sourceViolations(file, text);
  });
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const isAll = process.argv.includes('--all');
  const violations = languageViolations(root, isAll ? ['.'] : CLEAN_AREAS);
  for (const { file, line, text } of violations) console.error(`${file}:${line}  ${text}`);
  if (isAll) {
    const areas = Map.groupBy(violations, ({ file }) => file.split('/').slice(0, 4).join('/'));
    for (const [area, found] of areas) console.log(`${String(found.length).padStart(6)}  ${area}`);
  }
  if (violations.length > 0 && !isAll) process.exitCode = 1;
}
