import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadLinks, decisionViolations, readTree } from '../../scripts/check-docs.ts';

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
  assert.deepEqual(readTree('a/   first\n  b/\n    c.ts  third\n  d.ts\n\ne/f.ts\n'), [
    'a',
    'a/b',
    'a/b/c.ts',
    'a/d.ts',
    'e/f.ts',
  ]);
});

const record = (number: number, rest = '## Context\n\na\n\n## Decision\n\nb\n\n## Consequences\n\nc\n') =>
  `# ${number}. A title\n\n${rest}`;
const faultsOf = (records: Readonly<Record<string, string>>) =>
  decisionViolations(
    new Map(Object.entries(records).map(([name, text]) => [`docs/decisions/${name}.md`, text])),
  );

test('decision records of the required form pass', () => {
  assert.deepEqual(faultsOf({ '0001-one': record(1), '0002-two': record(2) }), []);
});

test('a duplicate number, or one that the title does not repeat, is reported', () => {
  assert.deepEqual(faultsOf({ '0001-one': record(1), '0001-other': record(1) }), [
    'docs/decisions/0001-other.md has the same number as docs/decisions/0001-one.md',
  ]);
  assert.match(faultsOf({ '0001-one': record(2) }).join(), /must start with "# 1\. "/);
  assert.match(faultsOf({ one: record(1) }).join(), /is not named/);
});

test('a missing section, or a paragraph that is far too long, is reported', () => {
  assert.match(faultsOf({ '0001-one': record(1, '## Context\n\na\n') }).join(), /must have the sections/);
  const long = `## Context\n\n${'word '.repeat(200)}\n\n## Decision\n\n## Consequences\n`;
  assert.match(faultsOf({ '0001-one': record(1, long) }).join(), /longer than 900 characters/);
});
