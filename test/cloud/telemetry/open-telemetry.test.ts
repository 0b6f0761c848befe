import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThrottledLog, QUIET_MS } from '../../../apps/cloud/src/telemetry/open-telemetry.ts';

test('a failure that repeats is one line a minute, with its count', () => {
  let nowMs = 0;
  const lines: object[] = [];
  const complain = createThrottledLog({ warn: (fields) => lines.push(fields) }, () => nowMs);
  for (let n = 0; n < 100; n++) complain(new Error('gone'));
  assert.deepEqual(lines, [{ cause: 'gone', times: 1 }]);
  nowMs = QUIET_MS;
  complain('still gone');
  assert.deepEqual(lines[1], { cause: 'still gone', times: 100 });
  complain('still gone');
  assert.equal(lines.length, 2);
});
