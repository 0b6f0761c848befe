import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partAt, partsOf } from '../../../../scripts/testing/changed/source-parts.ts';

const SOURCE = `export const LIMIT = 3;
export function open(list: readonly number[]) {
  const few = list.filter((one) => one < LIMIT);
  return { async read() { return few; }, size: 1 };
}
`;
/** The beginnings of the parts of which the text is not the same as in `SOURCE`. */
function changedParts(text: string): string[] {
  const before = new Set(partsOf('a.ts', SOURCE).map(({ digest }) => digest));
  return partsOf('a.ts', text)
    .filter(({ digest }) => !before.has(digest))
    .map(({ start }) => text.slice(start, start + 12).trim());
}

test('a change is one of the innermost function around it, or of what is outside of all', () => {
  assert.deepEqual(changedParts(SOURCE.replace('one <', 'one <=')), ['(one) => one']);
  assert.deepEqual(changedParts(SOURCE.replace('return few', 'return list')), ['async read()']);
  assert.deepEqual(changedParts(SOURCE.replace('size: 1', 'size: 2')), ['function ope']);
  assert.deepEqual(changedParts(SOURCE.replace('LIMIT = 3', 'LIMIT = 4')), ['export const']);
});

test('what moves is not changed', () => {
  assert.deepEqual(changedParts(`${SOURCE}export function next() {}\n`), ['export const', 'function nex']);
});

test('the narrowest part is at an offset', () => {
  const parts = partsOf('a.ts', SOURCE);
  const textAt = (text: string) => {
    const { start, end } = partAt(parts, SOURCE.indexOf(text));
    return SOURCE.slice(start, end);
  };
  assert.equal(textAt('one < LIMIT'), '(one) => one < LIMIT');
  assert.equal(textAt('async read'), 'async read() { return few; }');
  assert.equal(textAt('size'), SOURCE.slice(SOURCE.indexOf('function'), -1));
  assert.equal(textAt('export const'), SOURCE);
});
