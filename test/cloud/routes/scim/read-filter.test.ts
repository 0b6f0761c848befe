import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { readFilter } from '../../../../apps/cloud/src/routes/scim/read-filter.ts';

test('reads the comparisons that directories use', () => {
  assert.deepEqual(readFilter(undefined), {});
  assert.deepEqual(readFilter('userName eq "ada@example.com"'), { email: 'ada@example.com' });
  assert.deepEqual(readFilter(' username EQ "a b" '), { email: 'a b' });
  assert.deepEqual(readFilter('emails.value eq "ada@example.com"'), { email: 'ada@example.com' });
  assert.deepEqual(readFilter('externalId eq "quo\\"ted \\u00e9"'), { externalId: 'quo"ted é' });
});

test('rejects any other filter, as it would find the wrong people if it were ignored', () => {
  for (const filter of [
    '',
    'userName',
    'userName eq ada',
    'userName sw "a"',
    'userName eq "a" or userName eq "b"',
    'active eq true',
    'userName eq "a\\x"',
  ]) {
    assert.throws(
      () => readFilter(filter),
      (error) => error instanceof CodedError && error.fields['scimType'] === 'invalidFilter',
      filter,
    );
  }
});
