/** `npm run check`: plain professional English in names, sentences and comments of the whole project. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pageViolations, sourceViolations } from './structure/language-violations.ts';
import { listFiles } from './structure/list-files.ts';
import type { Violation } from './structure/module-violations.ts';

/** Files whose words are data: attacks, recorded bodies, generated files. */
const WORDS_AS_DATA =
  /^(?:shared\/detection\/(?:rules|lexicon|secrets\/kinds|passages\/(?:label|marker)-words)|shared\/flow-control\/(?:argument-classes|data-sources|effects|named-scalars|trusted-records)|shared\/providers\/tool-calls\/code-tools|apps\/cloud\/src\/security-testing\/|scripts\/lab\/detector\/(?:data-grammar|probe)|scripts\/lab\/(?:bench|test)\/|scripts\/lab\/flows\/planted-orders|scripts\/structure\/banned-words|test\/(?:fixtures|golden)\/|shared\/client\/schema)/;
const FOLDERS = ['apps', 'build', 'docs', 'scripts', 'shared', 'test'];
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];

export function languageViolations(root: string): Violation[] {
  const files = [...listFiles(root, FOLDERS, ['.ts', '.tsx', '.mjs', '.md']), ...PAGES].filter(
    (file) => !WORDS_AS_DATA.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return file.endsWith('.md') ? pageViolations(file, text) : sourceViolations(file, text);
  });
}

if (import.meta.main) {
  const violations = languageViolations(path.resolve(import.meta.dirname, '..'));
  for (const { file, line, text } of violations) console.error(`${file}:${line}  ${text}`);
  if (violations.length > 0) process.exitCode = 1;
}
