import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isInstalled } from '../../../scripts/bootstrap/is-installed.mjs';

const LOCK = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/@csg/shared': { link: true },
  'node_modules/for-another-platform': { version: '1.0.0', optional: true },
};

const CASES = [
  {
    name: 'as the lock says',
    there: { ...LOCK, 'node_modules/for-another-platform': undefined },
    expected: true,
  },
  { name: 'with something more', there: { ...LOCK, 'node_modules/b': { version: '1.0.0' } }, expected: true },
  { name: 'another version', there: { ...LOCK, 'node_modules/a': { version: '1.0.1' } }, expected: false },
  { name: 'a package missing', there: { ...LOCK, 'node_modules/a': undefined }, expected: false },
  { name: 'a link missing', there: { ...LOCK, 'node_modules/@csg/shared': undefined }, expected: false },
  { name: 'an install that was interrupted', there: undefined, expected: false },
] as const;

for (const { name, there, expected } of CASES) {
  test(`isInstalled: ${name}`, (t) => {
    const root = mkdtempSync(path.join(tmpdir(), 'csg-installed-'));
    t.after(() => rmSync(root, { recursive: true }));
    mkdirSync(path.join(root, 'node_modules'));
    writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages: LOCK }));
    if (there !== undefined) {
      writeFileSync(path.join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: there }));
    }
    assert.equal(isInstalled(root), expected);
  });
}
