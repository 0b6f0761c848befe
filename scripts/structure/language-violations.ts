import { parseSync } from 'oxc-parser';
import {
  BANNED_IN_COMMENTS,
  BANNED_IN_SENTENCES,
  BANNED_NAME_PARTS,
  type BannedPattern,
} from './banned-words.ts';
import type { Violation } from './module-violations.ts';
import { isNode, type Node, nameOf, walk } from './parse-source.ts';

const NAME_NODES = new Set(['Identifier', 'PrivateIdentifier', 'JSXIdentifier']);
const SENTENCE_NODES = new Set(['Literal', 'JSXText', 'TemplateLiteral']);

const TEST_CALLS = new Set(['test', 'it', 'describe']);

/** Returns names, sentences and comments of one source file that use a banned word. */
export function sourceViolations(file: string, text: string): Violation[] {
  const { program, comments } = parseSync(file, text);
  const found: Violation[] = [];
  const seen = new Set<string>();
  const add = (at: number, sentence: string): void => {
    found.push({ file, line: lineAt(text, at), text: sentence });
  };
  const readName = (node: Node): void => {
    const name = nameOf(node);
    const problem = seen.has(name) ? undefined : nameProblem(file, name);
    seen.add(name);
    if (problem !== undefined) add(node.start, `${name}: ${problem}`);
  };
  const readSentence = (node: Node, parent: Node | undefined): void => {
    const sentence = sentenceOf(node);
    if (!sentence.includes(' ') || isStored(file)) return;
    if (isTest(file) && !isProseOfTest(node, parent)) return;
    // Titles of tests quote the specification.
    const own = isTest(file) ? sentence.replaceAll(/"[^"]*"/g, '') : sentence;
    for (const [match, instead] of matches(file, own, BANNED_IN_SENTENCES))
      add(node.start, `"${match}" in a string: ${instead}`);
  };
  walk(program as unknown as Node, (node, parent, key) => {
    if (NAME_NODES.has(node.type) && declares(node, parent, key)) readName(node);
    if (SENTENCE_NODES.has(node.type)) readSentence(node, parent);
  });
  for (const { start, value } of comments) {
    const plain = value.replaceAll(/^[ \t]*\*? ?/gm, '');
    for (const [match, instead] of matches(file, plain, BANNED_IN_COMMENTS))
      add(start, `"${match.trim()}" in a comment: ${instead}`);
  }
  return found;
}

/** Returns sentences of one Markdown page that use a banned word; code is skipped. */
export function pageViolations(file: string, text: string): Violation[] {
  const prose = text
    .replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/`[^`\n]*`/g, '');
  return prose.split('\n').flatMap((line, index) =>
    [...matches(file, line, BANNED_IN_SENTENCES)].map(([match, instead]) => ({
      file,
      line: index + 1,
      text: `"${match}": ${instead}`,
    })),
  );
}

/** Returns the replacement for a banned name. Wire, column and constant key names are not camelCase and stay. */
function nameProblem(file: string, name: string): string | undefined {
  if (/^MOST_/.test(name)) return 'MAX_';
  if (/^[A-Z][A-Za-z]*Faults?$/.test(name) && !file.startsWith('test/')) return 'Error';
  if (name.includes('_')) return undefined;
  const parts = name.split(/(?<=[a-z\d])(?=[A-Z])/).map((part) => part.toLowerCase());
  const banned = parts.find((part) => Object.hasOwn(BANNED_NAME_PARTS, part));
  return banned === undefined ? undefined : BANNED_NAME_PARTS[banned];
}

/** A name is reported where it is declared, not where it is used. */
function declares(node: Node, parent: Node | undefined, key: string): boolean {
  if (parent === undefined) return false;
  // An import uses the name that its file declares.
  if (key === 'local') return isNode(parent['imported']) && nameOf(parent['imported']) !== nameOf(node);
  if (key === 'id' || key === 'params') return true;
  if (key === 'key') return parent['shorthand'] !== true;
  if (parent.type === 'Property') return key === 'value' && parent['shorthand'] === true;
  return (
    (key === 'left' && parent.type === 'AssignmentPattern') ||
    key === 'elements' ||
    node.type === 'JSXIdentifier'
  );
}

/** Returns the text of a literal; `{}` replaces each value of a template. */
function sentenceOf({ value, quasis }: Node): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(quasis)) return '';
  return (quasis as { readonly value: { readonly cooked: string | null } }[])
    .map((part) => part.value.cooked ?? '')
    .join('{}');
}

/** Texts that storage stores or logs keep their words. */
function isStored(file: string): boolean {
  return file.includes('/storage/');
}

function isTest(file: string): boolean {
  return file.startsWith('test/');
}

/** True for titles and assertion messages. All other strings of a test are data: prompts, attacks, recorded bodies. */
function isProseOfTest(node: Node, parent: Node | undefined): boolean {
  if (parent?.type !== 'CallExpression') return false;
  const { callee, arguments: given } = parent as unknown as { callee: Node; arguments: readonly Node[] };
  const { object = callee } = callee as { readonly object?: Node };
  if (!isNode(object) || object.type !== 'Identifier') return false;
  if (nameOf(object) !== 'assert') return TEST_CALLS.has(nameOf(object)) && given[0] === node;
  const { property } = callee as { readonly property?: Node };
  const isOk = isNode(property) && nameOf(property) === 'ok';
  return given.length > (isOk ? 1 : 2) && given.at(-1) === node;
}

function* matches(
  file: string,
  text: string,
  patterns: readonly BannedPattern[],
): Generator<readonly [match: string, instead: string]> {
  for (const { pattern, instead, under } of patterns) {
    if (under !== undefined && !file.startsWith(under)) continue;
    for (const [match] of text.matchAll(pattern)) yield [match, instead];
  }
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
