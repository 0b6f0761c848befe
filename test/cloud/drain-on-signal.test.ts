import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { until } from '../support/until.ts';

const MODULE = pathToFileURL(path.join(import.meta.dirname, '../../apps/cloud/src/drain-on-signal.ts')).href;

/** A process whose `close` is the given function; says `ready`, and each line of its log. */
async function start(t: TestContext, close: string, more = ''): Promise<ChildProcess> {
  const script = `
    import { drainOnSignal } from ${JSON.stringify(MODULE)};
    const say = (_fields, message) => process.send(message);
    drainOnSignal({ info: say, error: say }, ${close});
    setInterval(() => {}, 1_000);
    ${more}
    process.send('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  assert.deepEqual((await once(child, 'message'))[0], 'ready');
  return child;
}

test('a signal ends the process when all is closed', async (t) => {
  const child = await start(t, 'async () => process.send("closed")');
  const lines: unknown[] = [];
  child.on('message', (message) => lines.push(message));
  child.kill('SIGINT');
  assert.deepEqual((await once(child, 'close')).slice(0, 1), [0]);
  assert.deepEqual(lines, ['draining', 'closed']);
});

test('a shutdown that fails is logged, and the exit code is 1', async (t) => {
  const child = await start(t, 'async () => { throw new Error("no disk"); }');
  const lines: unknown[] = [];
  child.on('message', (message) => lines.push(message));
  child.kill('SIGTERM');
  assert.deepEqual((await once(child, 'close')).slice(0, 1), [1]);
  assert.deepEqual(lines, ['draining', 'the shutdown failed']);
});

test('a second signal soon after the first changes nothing; a later one ends the process', async (t) => {
  // The test moves the clock of the process, which reports each signal after it was handled.
  const child = await start(
    t,
    '() => new Promise(() => {})',
    `let at = 0;
    performance.now = () => at;
    process.on('message', (ms) => process.send('at ' + (at = ms)));
    process.on('SIGTERM', () => process.send('handled'));`,
  );
  const lines: unknown[] = [];
  child.on('message', (message) => lines.push(message));
  const receive = (count: number) =>
    until(
      async () => lines,
      ({ length }) => length >= count || child.exitCode !== null,
    );
  child.kill('SIGTERM');
  await receive(2);
  child.send(1_000);
  await receive(3);
  child.kill('SIGTERM');
  await receive(4);
  child.send(1_001);
  await receive(5);
  assert.deepEqual(lines, ['draining', 'handled', 'at 1000', 'handled', 'at 1001']);
  child.kill('SIGTERM');
  assert.deepEqual((await once(child, 'close')).slice(0, 1), [1]);
});
