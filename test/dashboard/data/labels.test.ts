import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf, THREAT_LABELS, threatLabel } from '../../../apps/cloud/dashboard/src/data/labels.ts';
import { THREAT_TYPES } from '../../../shared/contract/index.ts';

test('every threat type of the contract has a label', () => {
  assert.deepEqual(namesOf(THREAT_LABELS).sort(), [...THREAT_TYPES].sort());
});

test('an unknown threat type is shown by its name', () => {
  assert.equal(threatLabel('pii_leak'), 'Personal data');
  assert.equal(threatLabel('brand_new_threat'), 'brand new threat');
});
