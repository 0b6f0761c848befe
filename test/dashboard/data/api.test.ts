import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryText, toApiError } from '../../../apps/cloud/dashboard/src/data/api.ts';

test('an address leaves out what is empty', () => {
  assert.equal(queryText({}), '');
  assert.equal(queryText({ a: '', b: null, c: undefined }), '');
  assert.equal(queryText({ decision: 'block', page: 2, all: false }), '?decision=block&page=2&all=false');
});

test('an error envelope keeps its code, its sentence and what else it says', () => {
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

test('a 422 becomes sentences next to fields', () => {
  const fault = toApiError(422, {
    detail: [
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'uses'], msg: 'Input should be greater', type: 'minimum' },
    ],
  });
  assert.deepEqual(fault.fields, { name: 'This is needed.', uses: 'It should be greater' });
  assert.equal(fault.code, 'validation_error');
});

test('the page of a front proxy is no answer of ours, and says so', () => {
  const fault = toApiError(504, undefined);
  assert.equal(fault.code, 'unexpected');
  assert.match(fault.message, /answered with 504/);
});
