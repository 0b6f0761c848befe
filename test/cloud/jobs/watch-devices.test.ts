import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWatchingDevices } from '../../../apps/cloud/src/jobs/watch-devices.ts';

test('looks again and again until it is stopped', async () => {
  let looks = 0;
  const seen = new Promise<void>((resolve) => {
    const watching = startWatchingDevices(
      {
        async look() {
          looks += 1;
          if (looks < 3) return;
          watching.stop();
          resolve();
        },
      },
      1,
    );
  });
  await seen;
  assert.equal(looks, 3);
});

test('a decision of another instance waits less than half a second to be looked for', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let looks = 0;
  const job = startWatchingDevices({
    async look() {
      looks += 1;
    },
  });
  t.mock.timers.tick(500);
  assert.equal(looks, 1);
  t.mock.timers.tick(500);
  assert.equal(looks, 3);
  job.stop();
  t.mock.timers.tick(5_000);
  assert.equal(looks, 3);
});
