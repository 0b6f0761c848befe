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
