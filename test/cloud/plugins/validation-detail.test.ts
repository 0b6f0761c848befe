import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readValidationDetail } from '../../../apps/cloud/src/plugins/validation-detail.ts';

const error = (keyword: string, instancePath: string, params: object, message = '') => ({
  keyword,
  instancePath,
  params: params as Record<string, string>,
  message,
  schemaPath: '#',
});

test('locations are arrays of names and indexes, with escapes resolved', () => {
  const [detail] = readValidationDetail(
    [error('type', '/messages/0/a~1b', { type: 'string' }, 'must be string')],
    'body',
  );
  assert.deepEqual(detail, {
    loc: ['body', 'messages', 0, 'a/b'],
    msg: 'Input must be string',
    type: 'type',
    ctx: { type: 'string' },
  });
});

test('a missing field is reported at its own location', () => {
  const [detail] = readValidationDetail([error('required', '', { missingProperty: 'name' })], 'body');
  assert.deepEqual(detail, { loc: ['body', 'name'], msg: 'Field required', type: 'missing' });
});

test('an enum error lists the accepted values, and not the given one', () => {
  const [detail] = readValidationDetail(
    [error('enum', '/type', { allowedValues: ['prompt', 'response'] })],
    'body',
  );
  assert.equal(detail?.msg, "Input should be 'prompt' or 'response'");
});

test('the branches of a union are reported, not the union itself', () => {
  const details = readValidationDetail(
    [
      error('type', '/content', { type: 'string' }, 'must be string'),
      error('type', '/content', { type: 'array' }, 'must be array'),
      error('anyOf', '/content', {}),
    ],
    'body',
  );
  assert.equal(details.length, 1);
});
