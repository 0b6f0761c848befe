/** Checks documents: links resolve, and the tree of ARCHITECTURE.md is accurate. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './structure/list-files.ts';
import { MODULES, SOURCE_FOLDERS } from './structure/modules.ts';

/** Parts of the process edge that need no line in the tree. */
const UNNAMED = /\/(?:run-process|welcome-text)\.ts$/;
const LINK = /\]\(([^)\s]+)\)/g;

/** Returns the relative links of a Markdown text that point to a missing file or heading. */
export function deadLinks(file: string, text: string, read: (file: string) => string | undefined): string[] {
  const dead: string[] = [];
  for (const [, target = ''] of withoutCode(text).matchAll(LINK)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [page = '', heading] = target.split('#');
    const goal = page === '' ? file : path.posix.join(path.posix.dirname(file), page);
    const found = read(goal);
    if (found === undefined) dead.push(`${file}: link target ${target} does not exist`);
    else if (heading !== undefined && !headings(found).includes(heading)) {
      dead.push(`${file}: link target ${target} has no such heading`);
    }
  }
  return dead;
}

/** Anchors as code hosts generate them. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}

/**
 * Returns the paths of an indented tree, two spaces per level: the words of each line before a wider gap, folders with a
 * trailing slash. Lines below belong to the first.
 */
export function readTree(tree: string): string[] {
  const above: string[] = [];
  const paths: string[] = [];
  for (const line of tree.split('\n')) {
    const [, blanks = '', names = ''] = /^( *)(\S+(?: \S+)*)/.exec(line) ?? [];
    if (names === '') continue;
    above.length = blanks.length / 2;
    const places = names.split(' ').map((name) => [...above, name.replace(/\/$/, '')]);
    paths.push(...places.map((place) => place.join('/')));
    above.push(places[0]!.at(-1)!);
  }
  return paths;
}

export function checkDocs(root: string): string[] {
  const read = (file: string) => {
    const place = path.join(root, file);
    if (!existsSync(place)) return undefined;
    return file.endsWith('.md') ? readFileSync(place, 'utf8') : '';
  };
  const pages = [
    ...listFiles(root, ['docs'], ['.md']),
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
  ];
  const violations = pages.flatMap((page) => deadLinks(page, read(page) ?? '', read));

  const [, tree = ''] =
    /## Where things are\n\n```text\n([\s\S]*?)```/.exec(read('ARCHITECTURE.md') ?? '') ?? [];
  const named = readTree(tree);
  for (const place of named) {
    if (!existsSync(path.join(root, place)))
      violations.push(`ARCHITECTURE.md names ${place}, which does not exist`);
  }
  const places = MODULES.flatMap((module) =>
    module.paths.map((part) => `${SOURCE_FOLDERS[module.package]}/${part}`),
  );
  for (const place of places) {
    if (!existsSync(path.join(root, place)))
      violations.push(`docs/modules.md names ${place}, which does not exist`);
    if (!named.includes(place) && !UNNAMED.test(place))
      violations.push(`ARCHITECTURE.md does not name ${place}`);
  }
  return violations;
}

if (import.meta.main) {
  const violations = checkDocs(path.resolve(import.meta.dirname, '..'));
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exitCode = 1;
}
