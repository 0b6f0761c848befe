/**
 * Checks documents: links resolve, the tree of ARCHITECTURE.md is accurate, decision records have the required form.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { moduleExists } from './golden/make-module-table.ts';
import { listFiles } from './structure/list-files.ts';
import { MODULES, SOURCE_FOLDERS } from './structure/modules.ts';

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

const DECISION_NAME = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/;
const DECISION_SECTIONS = ['Context', 'Decision', 'Consequences'];
/** In characters; longer paragraphs are hard to read. */
const MAX_PARAGRAPH = 900;

/** Checks decision records: unique numbers, also in the title, the sections in order, short paragraphs. */
export function decisionViolations(records: ReadonlyMap<string, string>): string[] {
  const violations: string[] = [];
  const byNumber = new Map<string, string>();
  for (const [file, text] of records) {
    const [, number = ''] = DECISION_NAME.exec(file) ?? [];
    const other = byNumber.get(number);
    if (number === '') violations.push(`${file} is not named 0000-in-kebab-case.md`);
    else if (other !== undefined) violations.push(`${file} has the same number as ${other}`);
    byNumber.set(number, file);
    if (!text.startsWith(`# ${Number(number)}. `)) {
      violations.push(`${file} must start with "# ${Number(number)}. " and its title`);
    }
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
    if (sections.join() !== DECISION_SECTIONS.join()) {
      violations.push(`${file} must have the sections ${DECISION_SECTIONS.join(', ')}, in this order`);
    }
    for (const paragraph of longParagraphs(text)) {
      violations.push(`${file}: "${paragraph.slice(0, 40)}…" is longer than ${MAX_PARAGRAPH} characters`);
    }
  }
  return violations;
}

/** Tables may be longer. */
function longParagraphs(text: string): string[] {
  const paragraphs = text.split(/\n\n|\n(?=- )/);
  return paragraphs.filter((paragraph) => paragraph.length > MAX_PARAGRAPH && !paragraph.startsWith('|'));
}

/**
 * Returns the paths of an indented tree, two spaces per level: each line's first word, folders with a trailing slash.
 */
export function readTree(tree: string): string[] {
  const above: string[] = [];
  const paths: string[] = [];
  for (const line of tree.split('\n')) {
    const [, blanks = '', name = ''] = /^( *)(\S+)/.exec(line) ?? [];
    if (name === '') continue;
    above.length = blanks.length / 2;
    above.push(name.replace(/\/$/, ''));
    paths.push(above.join('/'));
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

  const records = pages.filter((page) => page.startsWith('docs/decisions/'));
  violations.push(...decisionViolations(new Map(records.map((page) => [page, read(page) ?? '']))));

  const [, tree = ''] = /## Tree\n\n```text\n([\s\S]*?)```/.exec(read('ARCHITECTURE.md') ?? '') ?? [];
  const named = readTree(tree);
  for (const place of named) {
    if (!existsSync(path.join(root, place)))
      violations.push(`ARCHITECTURE.md names ${place}, which does not exist`);
  }
  for (const module of MODULES.filter((each) => moduleExists(root, each))) {
    for (const part of module.paths ?? [module.name]) {
      const place = `${SOURCE_FOLDERS[module.package]}/${part}`;
      const isNamed = named.includes(place) || part === 'run-process.ts' || part === 'welcome-text.ts';
      if (!isNamed) violations.push(`ARCHITECTURE.md does not name ${place}`);
    }
  }
  return violations;
}

if (import.meta.main) {
  const violations = checkDocs(path.resolve(import.meta.dirname, '..'));
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exitCode = 1;
}
