import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cases } from '../support/part.ts';
import type { IdleFigures } from './idle-connections.ts';

const HARNESS = fileURLToPath(new URL('./idle-connections.ts', import.meta.url));
const COUNT = cases(1_000, 10_000);
const MAX_BYTES_EACH = 64 * 1024;
/** CPU time for the end of one of them, in requests. */
const MAX_END = 0.1;

test(`with ${COUNT} idle connections others are served as before, and memory and the work of their end are bounded`, {
  skip: process.platform === 'win32' ? 'file descriptors are raised by a shell' : false,
}, async () => {
  // Uses as many file descriptors as the computer allows a process: each connection needs one.
  const command = 'ulimit -n "$(ulimit -Hn)" && exec "$0" "$1" "$2"';
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    command,
    process.execPath,
    HARNESS,
    String(COUNT),
  ]);
  const figures = JSON.parse(stdout) as IdleFigures;
  const shown = JSON.stringify(figures);
  assert.equal(figures.held, COUNT, shown);
  assert.equal(figures.answered, figures.asked, shown);
  const mostMs = 2 * figures.aloneMs;
  assert.ok(figures.heldMs < mostMs, shown);
  assert.ok(figures.brokenMs < mostMs + COUNT * MAX_END * (figures.aloneMs / (figures.asked / 4)), shown);
  assert.ok(figures.bytesEach < MAX_BYTES_EACH, shown);
});
