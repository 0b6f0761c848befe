import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { GUARDED_MODEL } from '../../../../shared/detection/guarded/weights.ts';

test('the weights are small, but not empty', () => {
  const file = new URL('../../../../shared/detection/model/weights-guarded.json', import.meta.url);
  assert.ok(statSync(file).size < 100 * 1024);
  assert.ok(Array.from(GUARDED_MODEL.values).filter((value) => value !== 0).length > 10_000);
  assert.ok(GUARDED_MODEL.slope > 0);
});
