import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryText, toApiError } from '../../../apps/cloud/dashboard/src/data/api.ts';

test('a query string omits empty values', () => {
  assert.equal(queryText({}), '');
  assert.equal(queryText({ a: '', b: null, c: undefined }), '');
  assert.equal(queryText({ decision: 'block', page: 2, all: false }), '?decision=block&page=2&all=false');
});

test('an error envelope keeps its code, its message and its other members', () => {
  const fault = toApiError(403, {
    error: {
      message: 'One key per project.',
      type: 'permission_error',
      code: 'plan_limit_reached',
      limit: 1,
    },
  });
  assert.equal(fault.code, 'plan_limit_reached');
  assert.equal(fault.message, 'One key per project.');
  assert.deepEqual(fault.more, { limit: 1 });
});

test('a 422 becomes messages by field', () => {
  const fault = toApiError(422, {
    detail: [
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'uses'], msg: 'Input should be greater', type: 'minimum' },
    ],
  });
  assert.deepEqual(fault.fields, { name: 'This field is required.', uses: 'Must be greater' });
  assert.equal(fault.code, 'validation_error');
});

test('the page of a proxy in front of the service is reported as such', () => {
  const fault = toApiError(504, undefined);
  assert.equal(fault.code, 'unexpected');
  assert.match(fault.message, /returned HTTP 504/);
});
