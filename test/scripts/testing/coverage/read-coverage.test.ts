import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { coverageEnv, markRun, readCoverage } from '../../../../scripts/testing/coverage/read-coverage.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const SOURCE = `export function pick(flag: boolean): string {
  if (flag) return 'yes';
  return 'no';
}
export function unused(): number {
  return 1;
}
`;
const OFFSETS = ["return 'yes'", "return 'no'", 'return 1'].map((text) => SOURCE.indexOf(text));

function runWithCoverage(files: Readonly<Record<string, string>>): {
  root: string;
  raw: string;
  status: number | null;
} {
  const root = tempFolder('coverage');
  const raw = path.join(root, 'raw');
  mkdirSync(raw);
  for (const [name, text] of Object.entries({
    'pick.ts': SOURCE,
    'package.json': '{"type":"module"}',
    ...files,
  }))
    writeFileSync(path.join(root, name), text);
  const { status } = spawnSync(process.execPath, ['run.ts'], {
    cwd: root,
    env: { ...process.env, ...coverageEnv(raw) },
    timeout: 30_000,
  });
  return { root, raw, status };
}

function ranOf({ root, raw }: { root: string; raw: string }): number[] {
  const ran = new Uint8Array(OFFSETS.length);
  readCoverage(raw, root, (file, ranges) => {
    if (file === 'pick.ts') markRun(ranges, OFFSETS, ran);
  });
  return [...ran];
}

test('reads which statements a process ran, in the offsets of the typed source', () => {
  const run = runWithCoverage({ 'run.ts': "import { pick } from './pick.ts';\npick(true);\n" });
  assert.equal(run.status, 0);
  assert.deepEqual(ranOf(run), [1, 0, 0]);
});

test('ignores a file that was truncated while written', () => {
  const run = runWithCoverage({ 'run.ts': "import { pick } from './pick.ts';\npick(true);\n" });
  writeFileSync(path.join(run.raw, 'coverage-1-1-0.json'), '{"result":[{"url"');
  assert.deepEqual(ranOf(run), [1, 0, 0]);
});

test('adds up what a killed process ran at different times, also with an environment of its own', () => {
  const run = runWithCoverage({
    'run.ts': `
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
const child = spawn(process.execPath, ['killed.ts'], { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
const hasWritten = () => readdirSync('raw').some((name) => name.includes(\`-\${child.pid}-\`));
const timer = setInterval(() => {
  if (!hasWritten()) return;
  clearInterval(timer);
  child.send('now');
}, 20);
child.on('message', () => child.kill('SIGKILL'));
child.on('exit', (_, signal) => process.exit(signal === 'SIGKILL' ? 0 : 1));
`,
    'killed.ts': `
import { readdirSync } from 'node:fs';
import { pick } from './pick.ts';
pick(true);
const written = () => readdirSync('raw').filter((name) => name.includes(\`-\${process.pid}-\`)).length;
process.once('message', () => {
  pick(false);
  const before = written();
  setInterval(() => written() > before && process.send?.('done'), 20);
});
`,
  });
  assert.equal(run.status, 0);
  assert.deepEqual(ranOf(run), [1, 1, 0]);
});
