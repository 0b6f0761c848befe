import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import {
  STRUCTURE_MODEL,
  structureLogOdds,
  structureSum,
} from '../../../../shared/detection/structure/weights.ts';

test('the weights are small, but not empty', () => {
  const file = new URL('../../../../shared/detection/model/weights-structure.json', import.meta.url);
  assert.ok(statSync(file).size < 100 * 1024);
  assert.ok(Array.from(STRUCTURE_MODEL.values).filter((value) => value !== 0).length > 5_000);
  assert.ok(STRUCTURE_MODEL.slope > 0);
});

test('the other readings support this one within limits, and the log-odds are zero at the threshold', () => {
  assert.ok(structureSum(0, 2) > structureSum(0, -2));
  assert.equal(structureSum(0, 90), structureSum(0, 1_000));
  assert.equal(structureSum(0, Number.NEGATIVE_INFINITY), structureSum(0, -90));
  const { threshold } = STRUCTURE_MODEL;
  assert.equal(structureLogOdds(STRUCTURE_MODEL, threshold, 0), 0);
  assert.ok(structureLogOdds(STRUCTURE_MODEL, threshold + 1, 0) > 0);
});
