import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { languageViolations } from '../../scripts/check-language.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('the project has no violation', () => {
  assert.deepEqual(languageViolations(ROOT), []);
});

test('checks every file except those whose words are data', (t) => {
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
  const files = [...new Set(languageViolations(root).map(({ file }) => file))];
  assert.deepEqual(files, ['apps/cloud/src/c.ts', 'shared/text/a.ts']);
});
