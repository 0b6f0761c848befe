import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const WALK = path.resolve(import.meta.dirname, '../walk.ts');

test('a request goes back into a folder at most three times, a scan at most eight', () => {
  const output = execFileSync(process.execPath, [WALK], { encoding: 'utf8' });
  for (const [name, most] of [
    ['request', 3],
    ['scan', 8],
  ] as const) {
    const row = new RegExp(`^${name}: (\\d+) files in \\d+ folders of \\d+ modules; returns: (\\d+);`, 'm');
    const [, files, returns] = (row.exec(output) ?? []).map(Number);
    assert.ok(files! > 40, output);
    assert.ok(returns! <= most, output);
  }
});
