import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Job, startJob } from '../../../apps/cloud/src/jobs/start-job.ts';
import { until } from '../../support/until.ts';

const job = (change: Partial<Job<object>>): Job<object> => ({
  everyMs: 1,
  run: async () => {},
  failure: 'it could not be done',
  ...change,
});
const silent = { error: () => {} };

test('never begins a run while another is under way, and waits for it when it stops', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  let ended = 0;
  const running = startJob(
    job({
      async run() {
        begun += 1;
        await promise;
        ended += 1;
      },
    }),
    {},
    silent,
  );
  for (let periods = 0; periods < 5; periods++) {
    t.mock.timers.tick(1);
    await new Promise(setImmediate);
  }
  assert.equal(begun, 1);
  const stopped = running.stop();
  resolve();
  await stopped;
  assert.deepEqual([begun, ended], [1, 1]);
});

test('logs a failure once, and again after a success in between', async () => {
  const messages: string[] = [];
  const fate = [false, false, true, false, true];
  let runs = 0;
  const running = startJob(
    job({
      async run() {
        if (fate[runs++] === false) throw new Error('no');
      },
    }),
    {},
    { error: (_fields, message) => void messages.push(message) },
  );
  await until(
    async () => runs,
    (count) => count >= fate.length,
  );
  await running.stop();
  assert.deepEqual(messages, ['it could not be done', 'it could not be done']);
});

test('runs first after the time that it names, otherwise after a period', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const everyMs = 3_600_000;
  const jobs = [{}, { firstAfterMs: 0 }, { firstAfterMs: 50 }].map((first) =>
    startJob(job({ run, everyMs, ...first }), {}, silent),
  );
  const runsAfter = (ms: number) => {
    t.mock.timers.tick(ms);
    return runs;
  };
  assert.deepEqual([runsAfter(1), runsAfter(48), runsAfter(1)], [1, 1, 2]);
  await Promise.all(jobs.map((started) => started.stop()));
  assert.equal(runsAfter(everyMs), 2);
});

test('signals the run when it stops, closes what it left open, and abandons a run that takes too long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const events: string[] = [];
  const running = startJob(
    job({
      firstAfterMs: 0,
      everyMs: 3_600_000,
      run: (_parts, ending) => {
        ending.addEventListener('abort', () => events.push('ending'));
        return new Promise(() => {});
      },
      close: () => void events.push('closed'),
      stopWithinMs: 1,
    }),
    {},
    silent,
  );
  t.mock.timers.tick(0);
  const stopped = running.stop();
  await new Promise(setImmediate);
  t.mock.timers.tick(1);
  await stopped;
  assert.deepEqual(events, ['ending', 'closed']);
});
