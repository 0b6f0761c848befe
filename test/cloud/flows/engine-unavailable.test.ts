import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineUnavailable } from '../../../apps/cloud/src/flows/engine-unavailable.ts';

test('makes one entry for each message', () => {
  const entries = engineUnavailable(2);
  assert.deepEqual(
    entries.map(({ index, reason }) => [index, reason]),
    [
      [0, 'engine_unavailable'],
      [1, 'engine_unavailable'],
    ],
  );
  assert.match(entries[0]!.detail, /the engine could not run/);
  assert.deepEqual(engineUnavailable(0), []);
});
