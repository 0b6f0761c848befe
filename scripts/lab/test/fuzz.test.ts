import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the fuzzer runs the given number of cases, and rejects an invalid number', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(import.meta.resolve('../fuzz.ts')), ...args], {
      encoding: 'utf8',
    });
  const few = run('--cases', '20', '--seed', '3');
  assert.equal(few.stdout, 'seed 3\n20 cases, no failures\n', few.stderr);
  const wrong = run('--minutes', 'soon');
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /--minutes, --cases and --seed must be numbers/);
});
