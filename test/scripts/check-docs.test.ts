import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadLinks, readTree } from '../../scripts/check-docs.ts';

const PAGES: Readonly<Record<string, string>> = {
  'docs/a.md': '# A page\n\n## What is `stored`?\n',
  'README.md': '',
};
const dead = (text: string) => deadLinks('docs/b.md', text, (file) => PAGES[file]);

test('links that lead somewhere pass', () => {
  assert.deepEqual(
    dead('[a](a.md) [b](../README.md) [c](a.md#what-is-stored) [d](https://example.com/x)'),
    [],
  );
});

test('links that lead nowhere are told', () => {
  assert.deepEqual(dead('[a](gone.md)'), ['docs/b.md: gone.md leads nowhere']);
  assert.deepEqual(dead('[a](a.md#gone)'), ['docs/b.md: a.md#gone has no such heading']);
  assert.deepEqual(dead('```\n[in code](gone.md)\n```'), []);
});

test('a tree is read as paths', () => {
  assert.deepEqual(readTree('a/   first\n  b/\n    c.ts  third\n  d.ts\n\ne/f.ts\n'), [
    'a',
    'a/b',
    'a/b/c.ts',
    'a/d.ts',
    'e/f.ts',
  ]);
});
