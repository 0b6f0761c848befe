import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReadiness } from '../../../apps/cloud/src/flows/read-readiness.ts';
import { openAccountTestEnv } from '../../support/account-test-env.ts';

test('a result is reused for half a second; a change is logged once', async (t) => {
  const { storage, clock } = await openAccountTestEnv(t);
  const lines: string[] = [];
  const log = {
    warn: (_fields: object, line: string) => void lines.push(line),
    info: (line: string) => void lines.push(line),
  };
  let isBroken = false;
  let pings = 0;
  const read = createReadiness({
    storage: {
      ping: async () => {
        pings++;
        if (isBroken) throw new Error('connection refused');
        await storage.ping();
      },
    },
    clock,
    log,
  });
  assert.deepEqual(await read(), {});
  isBroken = true;
  clock.advance(499);
  assert.deepEqual(await read(), {}, 'still the result of before');
  assert.equal(pings, 1);
  for (let n = 0; n < 2; n++) {
    clock.advance(500);
    assert.deepEqual(await read(), { storage: 'The database cannot be used.' });
  }
  isBroken = false;
  clock.advance(500);
  assert.deepEqual(await read(), {});
  assert.equal(pings, 4);
  assert.deepEqual(lines, ['not ready: nothing can be stored', 'ready again']);
});
