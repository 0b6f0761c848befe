import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { piiSpans, scan } from '../../../shared/detection/index.ts';
import { compileRuleset } from '../../../shared/detection/ruleset.ts';
import { Workspace } from '../../../shared/detection/workspace.ts';
import { makeScratchCopy } from '../../support/scratch-copy.ts';

test('a lent buffer belongs to one reader until it returns', () => {
  const workspace = new Workspace();
  workspace.withText('outer text', (outer) => {
    workspace.withText('inner text, which is longer', (inner) => {
      assert.notEqual(inner.codes, outer.codes);
    });
    assert.equal(outer.codes[0], 'o'.charCodeAt(0));
  });
  workspace.withReading(10, (outer) => workspace.withReading(10, (inner) => assert.notEqual(inner, outer)));
  workspace.withTables(10, (outer) => workspace.withTables(10, (inner) => assert.notEqual(inner, outer)));
  workspace.withRuns((outer) => workspace.withRuns((inner) => assert.notEqual(inner, outer)));
  workspace.withWords('one two', 10, (outer) => {
    workspace.withWords('three', 10, (inner) => assert.notEqual(inner, outer));
    assert.equal(outer.words, 2);
  });
});

test('a returned buffer is lent again, also after a failure', () => {
  const workspace = new Workspace();
  const first = workspace.withTables(10, (tables) => tables);
  assert.throws(() =>
    workspace.withTables(10, () => {
      throw new Error('a reader failed');
    }),
  );
  assert.equal(
    workspace.withTables(10, (tables) => tables),
    first,
  );
  const larger = workspace.withTables(5_000, ({ size }) => size);
  assert.ok(larger >= 5_000, 'tables that are too small are replaced');
});

test('between two texts the workspace contains neither', () => {
  const workspace = new Workspace();
  const codes = workspace.withText('a text that nobody else may see', (text) => text.codes);
  assert.ok(codes.every((code) => code === 0));
});

test('the engine also works without a workspace from the caller', () => {
  const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
  const slots = [{ path: '/', role: 'user', text: 'Mail anna@example.com.' } as const];
  const workspace = new Workspace();
  assert.deepEqual(scan(slots, ruleset, 'input'), scan(slots, ruleset, 'input', { workspace }));
});

test('a recognizer may read another text while reading its own', async () => {
  const copy = makeScratchCopy('engine');
  const file = 'shared/detection/pii/find-pii.ts';
  const [start, end, ...more] = copy.read(file).split('    const found = FINDERS[');
  assert.ok(start !== undefined && end !== undefined && more.length === 0);
  const edit =
    '    new CodeBuffer(22).write(text.slice(i, i + 22).toUpperCase());\n    const found = FINDERS[';
  copy.write(file, (start + edit + end).replace('import type { Text }', 'import { CodeBuffer, type Text }'));
  const door = pathToFileURL(path.join(copy.root, 'shared/detection/index.ts')).href;
  const changed: typeof import('../../../shared/detection/index.ts') = await import(door);
  for (const text of [
    'card 4111 1111 1111 1111 and mail anna@example.com',
    'x 12 mail anna@example.com, card 4111 1111 1111 1111',
    'tel. +49 30 1234567, 2001:db8:1:2:3:4:5:f, name [at] host [dot] com',
  ]) {
    assert.ok(piiSpans(text).length > 1);
    assert.deepEqual(changed.piiSpans(text), piiSpans(text), text);
  }
});
