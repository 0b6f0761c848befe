import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { CLEAN_AREAS, isIn, languageViolations } from '../../scripts/check-language.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('areas that are clean exist, and are clean', () => {
  for (const area of CLEAN_AREAS) assert.ok(existsSync(path.join(ROOT, area)), area);
  assert.deepEqual(languageViolations(ROOT, CLEAN_AREAS), []);
});

test('an area is a folder, a file or everything', () => {
  assert.equal(isIn(['shared/text'], 'shared/text/spans.ts'), true);
  assert.equal(isIn(['shared/text'], 'shared/texts.ts'), false);
  assert.equal(isIn(['README.md'], 'README.md'), true);
  assert.equal(isIn(['.'], 'docs/keys.md'), true);
  assert.equal(isIn([], 'docs/keys.md'), false);
});

test('only the areas given are looked at, and data that is words is not', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'csg-language-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), "export const wish = 'Nobody waits.';\n");
  };
  for (const file of ['shared/text/a.ts', 'shared/detection/rules/b.ts', 'apps/cloud/src/c.ts']) write(file);
  for (const page of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']) {
    writeFileSync(path.join(root, page), 'Plain.\n');
  }
  const files = (areas: string[]) => [...new Set(languageViolations(root, areas).map(({ file }) => file))];
  assert.deepEqual(files(['.']), ['apps/cloud/src/c.ts', 'shared/text/a.ts']);
  assert.deepEqual(files(['shared']), ['shared/text/a.ts']);
});
