import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementsOf } from '../../coverage/statements.ts';

test('counts statements in functions, but not those that loading a file runs', () => {
  const text = `
const LIMIT = 3;
export const twice = (n: number) => n * 2;
export class Shelf {
  add(book: string): void {
    if (book === '') throw new Error('no book');
    this.books.push(book);
  }
}
export function each(list: string[]): () => void {
  type Local = string;
  return () => {
    for (const one of list) console.log(one);
  };
}
`;
  const lines = statementsOf('shelf.ts', text).map((offset) =>
    text
      .slice(offset)
      .split(/[;{]|\n/)[0]!
      .trim(),
  );
  assert.deepEqual(lines, [
    'n * 2',
    "if (book === '') throw new Error('no book')",
    "throw new Error('no book')",
    'this.books.push(book)',
    'return () =>',
    'for (const one of list) console.log(one)',
    'const one of list) console.log(one)',
    'console.log(one)',
  ]);
});
