import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isGone } from '../../support/desktop/processes.ts';
import { type RunningCommand, runCommand } from '../../support/run-command.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until, waitForNextPoll } from '../../support/until.ts';

const skip = process.platform === 'linux' ? false : 'whether a process is gone is read from /proc';
const RUN_TEST_FILES = path.resolve(import.meta.dirname, '../../../scripts/testing/run-test-files.ts');
/** A command that ends when asked to, and one that does not. */
const [EASY, STUBBORN] = ['sleep 600', 'trap "" TERM; sleep 600'];

/** A run of one test file, which starts a shell process and then runs `rest`. SIGTERM ends the run normally. */
async function startRun(command: string, rest: string, graceMs = 60_000) {
  const folder = tempFolder('process-group');
  const [file, runner, pidFile] = ['sample.test.ts', 'runner.ts', 'pid'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  writeFileSync(
    file,
    `import { spawn } from 'node:child_process';
    import { renameSync, writeFileSync } from 'node:fs';
    import { test } from 'node:test';
    test('starts a process', async (t) => {
      const child = spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'ignore' });
      child.unref();
      writeFileSync(${JSON.stringify(`${pidFile}.new`)}, String(child.pid));
      renameSync(${JSON.stringify(`${pidFile}.new`)}, ${JSON.stringify(pidFile)});
      ${rest}
    });`,
  );
  writeFileSync(
    runner,
    `import { runTestFiles } from ${JSON.stringify(RUN_TEST_FILES)};
    const stop = new AbortController();
    process.once('SIGTERM', () => stop.abort());
    const options = { cwd: ${JSON.stringify(folder)}, testLimitMs: 600_000, processLimitMs: 600_000, graceMs: ${graceMs} };
    console.log(await runTestFiles([${JSON.stringify(file)}], { ...options, signal: stop.signal }, () => {}));`,
  );
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const run: RunningCommand = runCommand(process.execPath, [runner], { env });
  while (!existsSync(pidFile)) {
    assert.equal(run.child.exitCode, null, 'the run ended before its test began');
    await waitForNextPoll();
  }
  return { run, pid: Number(readFileSync(pidFile, 'utf8')) };
}

for (const [name, command, rest] of [
  [
    'ending a run ends the processes its tests started',
    EASY,
    'await new Promise(() => setInterval(() => {}, 1000));',
  ],
  ['ending a run ends them even if the test never yields', EASY, 'for (;;);'],
] as const) {
  test(name, { skip }, async () => {
    const { run, pid } = await startRun(command, rest);
    assert.equal(isGone(pid), false);
    run.child.kill('SIGTERM');
    await run.ended;
    assert.ok(isGone(pid));
  });
}

test('a process that does not end normally is killed', { skip }, async () => {
  const { run, pid } = await startRun(STUBBORN, 'for (;;);', 200);
  run.child.kill('SIGTERM');
  await run.ended;
  await until(async () => isGone(pid), Boolean);
});

test('a process that a test forgot ends with its file', { skip }, async () => {
  const { run, pid } = await startRun(EASY, '');
  assert.match((await run.ended).stdout, /^ended\n/);
  assert.ok(isGone(pid));
});

for (const [name, rest] of [
  ['a killed run leaves no process', 'await new Promise(() => setInterval(() => {}, 1000));'],
  [
    'a killed run leaves no process, even if the file has much to report',
    "for (;;) await t.test('one of many', () => new Promise(setImmediate));",
  ],
] as const) {
  test(name, { skip }, async () => {
    const { run, pid } = await startRun(STUBBORN, rest);
    run.child.kill('SIGKILL');
    await until(async () => isGone(pid), Boolean);
  });
}
