import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFields } from '../../../apps/cloud/dashboard/src/components/form-errors.ts';
import { ApiError } from '../../../apps/cloud/dashboard/src/data/api.ts';

const errorOf = (fields: Record<string, string>) =>
  new ApiError({ status: 422, code: 'validation_error', message: 'Invalid.', fields });

function show(fields: Record<string, string>) {
  const error = errorOf(fields);
  let shown: Record<string, string> = {};
  const left = toFields(error, {
    values: { name: '', scopes: [] },
    setErrors: (errors) => {
      shown = errors;
    },
  });
  return { shown, isLeft: left === error };
}

test('a message about a field, or about a part of it, is shown next to the field', () => {
  assert.deepEqual(show({ name: 'is too long', 'scopes.0': 'is unknown' }), {
    shown: { name: 'is too long', scopes: 'is unknown' },
    isLeft: false,
  });
});

test('an error is left to be shown if some of it, or all, belongs to no field', () => {
  assert.deepEqual(show({ name: 'is too long', plan: 'is over' }), {
    shown: { name: 'is too long' },
    isLeft: true,
  });
  assert.deepEqual(show({}), { shown: {}, isLeft: true });
});
