import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

const RUN_FILES = path.resolve(import.meta.dirname, '../../mutation/run-files.ts');
/** Starts test files as mutate does, and prints their process. */
const STARTER = `
  const [node, ...args] = JSON.parse(process.argv[1]);
  const child = require('node:child_process').spawn(node, args, { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
  console.log(child.pid);
  setInterval(() => {}, 1_000);`;

test('a test file that never returns ends with the run that started it', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-hanging-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const loop = path.join(folder, 'loop.test.ts');
  writeFileSync(loop, "console.log('in the loop'); for (;;);\n");
  const command = JSON.stringify([process.execPath, RUN_FILES, loop]);
  const starter = spawn(process.execPath, ['-e', STARTER, command], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => starter.kill('SIGKILL'));
  let output = '';
  for await (const piece of starter.stdout) {
    output += piece;
    if (output.includes('in the loop')) break;
  }
  const hanging = Number(/^\d+$/m.exec(output)?.[0]);
  assert.ok(isAlive(hanging), output);
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  while (isAlive(hanging)) await pause(50);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
