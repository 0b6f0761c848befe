import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JOBS } from '../../../apps/cloud/src/jobs/job-table.ts';
import { startJob } from '../../../apps/cloud/src/jobs/start-job.ts';

test('polls repeatedly until it is stopped', async () => {
  let looks = 0;
  const seen = new Promise<void>((resolve) => {
    const channel = {
      async poll() {
        looks += 1;
        if (looks < 3) return;
        void job.stop();
        resolve();
      },
    };
    const log = { error: (_fields: object, message: string) => assert.fail(message) };
    const job = startJob(JOBS.notifyDevices, { channel }, log, 1);
  });
  await seen;
  assert.equal(looks, 3);
});

test('polls at least every half second, for decisions of other instances', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let looks = 0;
  const channel = {
    async poll() {
      looks += 1;
    },
  };
  const log = { error: (_fields: object, message: string) => assert.fail(message) };
  const job = startJob(JOBS.notifyDevices, { channel }, log);
  const wait = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      t.mock.timers.tick(100);
      await new Promise(setImmediate);
    }
  };
  await wait(500);
  assert.equal(looks, 1);
  await wait(500);
  assert.equal(looks, 3);
  await job.stop();
  await wait(5_000);
  assert.equal(looks, 3);
});
