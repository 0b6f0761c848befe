import assert from 'node:assert/strict';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { findTool, installCommand, missingTool, SYSTEM_TOOLS } from '../../scripts/system-tools.ts';

/** Matches `spawn('curl', …)`, `runCommand('sh', …)` and similar calls. */
const CALLS_PROGRAM = /\b(?:spawn|spawnSync|execFile|execFileSync|runCommand)\(\s*'([^']+)'/g;
/** Part of Debian's essential packages, or of npm; and a shell. */
const OF_EVERY_SYSTEM = new Set([
  '/bin/sh',
  'cat',
  'getconf',
  'id',
  'mount',
  'npm',
  'setpriv',
  'sh',
  'umount',
  'unshare',
]);

test('finds a tool in the first folder of the path with an executable one', (t) => {
  const folders = ['empty', 'plain', 'first', 'second'].map((name) =>
    mkdtempSync(path.join(tmpdir(), `csg-tools-${name}-`)),
  );
  t.after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  const [empty = '', plain = '', first = '', second = ''] = folders;
  for (const folder of [plain, first, second]) writeFileSync(path.join(folder, 'redis-server'), '');
  for (const folder of [first, second]) chmodSync(path.join(folder, 'redis-server'), 0o755);
  const searchPath = [empty, plain, first, second].join(path.delimiter);
  assert.equal(findTool('redis', searchPath), path.join(first, 'redis-server'));
  assert.equal(findTool('redis', empty), undefined);
});

test('one command installs the missing tools', () => {
  assert.equal(
    installCommand([SYSTEM_TOOLS.postgres, SYSTEM_TOOLS.redis]),
    'apt-get install -y --no-install-recommends postgresql redis-server',
  );
});

test('tests are skipped with the names of missing tools and their packages', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-tools-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'curl'), '');
  chmodSync(path.join(folder, 'curl'), 0o755);
  assert.equal(missingTool(['curl'], folder), false);
  assert.equal(
    missingTool(['curl', 'python', 'keyring'], folder),
    'not installed: Python (python3), gnome-keyring (gnome-keyring)',
  );
});

test('every program that a test calls by name is listed, or part of every system', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const known = new Set<string>(Object.values(SYSTEM_TOOLS).flatMap(({ programs }) => [...programs]));
  const unknown = globSync(['test/**/*.ts', 'scripts/lab/test/**/*.ts'], { cwd: root })
    .flatMap((file) => {
      const source = readFileSync(path.join(root, file), 'utf8');
      return [...source.matchAll(CALLS_PROGRAM)].map(([, program = '']) => ({ file, program }));
    })
    .filter(({ program }) => !known.has(program) && !OF_EVERY_SYSTEM.has(program));
  assert.deepEqual(unknown, []);
});
