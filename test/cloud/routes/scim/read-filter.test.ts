import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import {
  GROUP_ATTRIBUTES,
  readFilter,
  USER_ATTRIBUTES,
} from '../../../../apps/cloud/src/routes/scim/read-filter.ts';

const users = (filter?: string) => readFilter(filter, USER_ATTRIBUTES);
const groups = (filter: string) => readFilter(filter, GROUP_ATTRIBUTES);

test('reads the comparisons that directories use', () => {
  assert.deepEqual(users(undefined), {});
  assert.deepEqual(users('userName eq "ada@example.com"'), { email: 'ada@example.com' });
  assert.deepEqual(users(' username EQ "a b" '), { email: 'a b' });
  assert.deepEqual(users('emails.value eq "ada@example.com"'), { email: 'ada@example.com' });
  assert.deepEqual(users('emails[type eq "work"].value eq "ada@example.com"'), { email: 'ada@example.com' });
  assert.deepEqual(users('externalId eq "quo\\"ted \\u00e9"'), { externalId: 'quo"ted é' });
  assert.deepEqual(users('externalId eq "CORP\\\\ada"'), { externalId: 'CORP\\ada' });
});

test('reads filters of groups, also several joined by and', () => {
  assert.deepEqual(groups('displayName eq "R and D or (x)"'), { displayName: 'R and D or (x)' });
  assert.deepEqual(groups('urn:ietf:params:scim:schemas:core:2.0:Group:displayName eq "x"'), {
    displayName: 'x',
  });
  assert.deepEqual(groups('id eq "dgrp_1" and members eq "usr_1"'), { id: 'dgrp_1', userId: 'usr_1' });
  assert.deepEqual(groups('members.value eq "usr_1" AND externalId eq "x"'), {
    userId: 'usr_1',
    externalId: 'x',
  });
});

test('rejects any other filter, as it would find the wrong people if it were ignored', () => {
  for (const filter of [
    '',
    'userName',
    'userName eq ada',
    'userName sw "a"',
    'userName eq "a" or userName eq "b"',
    'userName eq "a" and',
    'userName eq "a" and ',
    'userName eq "a" externalId eq "b"',
    'userName eq "a" and userName eq "b"',
    'active eq true',
    'displayName eq "x"',
    'constructor eq "x"',
    '__proto__ eq "x"',
    'userName eq "a\\x"',
    `userName eq "${'\\'.repeat(20_001)}`,
    `${'('.repeat(20_000)}userName eq "a"`,
  ]) {
    assert.throws(
      () => users(filter),
      (error) => error instanceof CodedError && error.fields['scimType'] === 'invalidFilter',
      filter.slice(0, 60),
    );
  }
});
