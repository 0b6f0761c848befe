import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createModelNames } from '../../../../apps/cloud/src/storage/batch/model-names.ts';

const DAY = '2026-11-20';

test('a name keeps its first 128 characters, and no model has an empty name', () => {
  const nameModel = createModelNames();
  assert.equal(nameModel('org_a', DAY, 'm'.repeat(200)), 'm'.repeat(128));
  assert.equal(nameModel('org_a', DAY, null), '');
});

test('the first 200 names of an organization are kept apart, further ones are one sum until the next day', () => {
  const nameModel = createModelNames();
  for (let n = 1; n <= 200; n++) assert.equal(nameModel('org_a', DAY, `m${n}`), `m${n}`);
  assert.equal(nameModel('org_a', DAY, 'm201'), 'other');
  assert.equal(nameModel('org_a', DAY, 'm200'), 'm200', 'a known one keeps its name');
  assert.equal(nameModel('org_b', DAY, 'm201'), 'm201', 'another organization has names of its own');
  assert.equal(nameModel('org_a', '2026-11-19', 'm201'), 'other', 'a late event of the day before');
  assert.equal(nameModel('org_a', '2026-11-21', 'm201'), 'm201');
});
