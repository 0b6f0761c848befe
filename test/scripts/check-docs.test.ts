import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadLinks, readTree } from '../../scripts/check-docs.ts';

const PAGES: Readonly<Record<string, string>> = {
  'docs/a.md': '# A page\n\n## What is `stored`?\n',
  'README.md': '',
};
const dead = (text: string) => deadLinks('docs/b.md', text, (file) => PAGES[file]);

test('valid links pass', () => {
  assert.deepEqual(
    dead('[a](a.md) [b](../README.md) [c](a.md#what-is-stored) [d](https://example.com/x)'),
    [],
  );
});

test('dead links are reported', () => {
  assert.deepEqual(dead('[a](gone.md)'), ['docs/b.md: link target gone.md does not exist']);
  assert.deepEqual(dead('[a](a.md#gone)'), ['docs/b.md: link target a.md#gone has no such heading']);
  assert.deepEqual(dead('```\n[in code](gone.md)\n```'), []);
});

test('a tree is parsed into paths', () => {
  assert.deepEqual(readTree('a/   first\n  b/ c/\n    c.ts  third word\n  d.ts e.ts  fourth\n\ne/f.ts\n'), [
    ...['a', 'a/b', 'a/c', 'a/b/c.ts', 'a/d.ts', 'a/e.ts'],
    'e/f.ts',
  ]);
});
