import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belowLimit } from '../../coverage/below-limit.ts';

test('lists files below the limit, the lowest first; one without statements is never below', () => {
  const ran = new Map([
    ['shared/a.ts', Uint8Array.of(1, 1, 1, 0)],
    ['shared/b.ts', Uint8Array.of(1, 1, 1, 1, 0)],
    ['shared/c.ts', Uint8Array.of(0)],
    ['shared/d.ts', Uint8Array.of()],
  ]);
  assert.deepEqual(belowLimit(ran, 80), [
    { file: 'shared/c.ts', percent: 0 },
    { file: 'shared/a.ts', percent: 75 },
  ]);
});
