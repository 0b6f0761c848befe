import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { readPatch } from '../../../../apps/cloud/src/routes/scim/read-patch.ts';

const patch = (...Operations: { op: string; path?: string; value?: unknown }[]) => readPatch({ Operations });

test('reads a change in every form in which directories send it', () => {
  for (const operation of [
    { op: 'replace', path: 'active', value: false },
    { op: 'Replace', path: 'active', value: 'False' },
    { op: 'add', value: { active: false } },
    { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false },
  ]) {
    assert.deepEqual(patch(operation), { isActive: false }, JSON.stringify(operation));
  }
  assert.deepEqual(
    patch(
      { op: 'replace', path: 'name.givenName', value: 'Ada' },
      { op: 'replace', value: { name: { familyName: 'Lovelace' }, externalId: '7', title: 'Countess' } },
      { op: 'remove', path: 'externalId' },
    ),
    { givenName: 'Ada', familyName: 'Lovelace', externalId: null },
  );
  assert.deepEqual(patch({ op: 'remove', path: 'name' }), { givenName: null, familyName: null });
  assert.deepEqual(patch({ op: 'replace', path: 'emails[type eq "work"].value', value: 'x@y.z' }), {});
});

test('rejects an invalid operation with its scimType', () => {
  for (const [operation, scimType] of [
    [{ op: 'move', path: 'active' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
    [{ op: 'replace', path: 'active' }, 'invalidValue'],
    [{ op: 'replace', path: 'name.givenName', value: 7 }, 'invalidValue'],
    [{ op: 'replace', path: 'externalId', value: 'x'.repeat(255) }, 'invalidValue'],
  ] as const) {
    assert.throws(
      () => patch(operation),
      (error) => error instanceof CodedError && error.fields['scimType'] === scimType,
      JSON.stringify(operation),
    );
  }
});
