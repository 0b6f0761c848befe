import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { COMMANDS } from '../lab.ts';

const LAB = path.resolve(import.meta.dirname, '..');

async function runLab(...args: readonly string[]) {
  const child = spawn(process.execPath, [path.join(LAB, 'lab.ts'), ...args]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, code: child.exitCode ?? (await once(child, 'exit'))[0] };
}

test('without a name the commands are listed, one line each', async () => {
  const { code, stdout, stderr } = await runLab();
  assert.deepEqual([code, stderr], [0, '']);
  for (const [name, about] of Object.entries(COMMANDS)) {
    assert.match(stdout, new RegExp(`^  ${name} +${about.replaceAll(/[().]/g, '\\$&')}$`, 'm'));
  }
});

test('an unknown name is one sentence, with exit code 2', async () => {
  for (const name of ['sok', 'toString', '../test']) {
    const { code, stdout, stderr } = await runLab(name, '--help');
    assert.deepEqual([code, stdout], [2, '']);
    assert.equal(stderr, `The laboratory has no command "${name}"; npm run lab lists them.\n`);
  }
});

/** These rejections are in test/scripts/options.test.ts. */
const READS_OPTIONS = /^(?:.* = |)\s*(?:readOptions|readArguments)\(/m;

test('every command rejects an unknown option in one sentence, with exit code 2', async () => {
  const [byTable = [], others = []] = [true, false].map((isByTable) =>
    Object.keys(COMMANDS).filter((name) => isByTable === readsOptions(name)),
  );
  assert.ok(byTable.length > others.length);
  const expected = { code: 2, stdout: '', stderr: "Unknown option '--bogus'. See --help.\n" };
  for (const name of [byTable[0]!, ...others])
    assert.deepEqual(await runLab(name, '--bogus'), expected, name);
});

function readsOptions(name: string): boolean {
  const file = path.join(LAB, `${name}.ts`);
  return existsSync(file) && READS_OPTIONS.test(readFileSync(file, 'utf8'));
}

test('the README describes every command', () => {
  const readme = readFileSync(path.join(LAB, 'README.md'), 'utf8');
  // Forms of one command have rows of their own.
  const described = new Set([...readme.matchAll(/^\| `([\w-]+)/gm)].map(([, name]) => name));
  assert.deepEqual([...described].sort(), Object.keys(COMMANDS).sort());
});
