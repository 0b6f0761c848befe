import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belowLimit } from '../../../scripts/coverage/below-limit.ts';

const summary = {
  total: { lines: { pct: 60 } },
  '/root/shared/a.ts': { lines: { pct: 79.9 } },
  '/root/shared/b.ts': { lines: { pct: 80 } },
  '/root/shared/c.ts': { lines: { pct: 12 } },
};

test('files below the limit, the least first; what was never loaded has nothing', () => {
  assert.deepEqual(belowLimit('/root', summary, 80, ['shared/b.ts', 'shared/d.ts']), [
    { file: 'shared/d.ts', percent: 0 },
    { file: 'shared/c.ts', percent: 12 },
    { file: 'shared/a.ts', percent: 79.9 },
  ]);
});
