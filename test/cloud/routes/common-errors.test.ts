import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, invalidBodySchema } from '@csg/shared/contract';
import { COMMON_ERRORS, describeCommonErrors } from '../../../apps/cloud/src/routes/common-errors.ts';

const reply = (description: string, of = 'errors') => ({
  description,
  content: { 'application/json': { schema: { title: of } } },
});

test('errors of a kind become the default response; those of the route alone keep their status', () => {
  const schema = {
    summary: 'Create it',
    [COMMON_ERRORS]: {
      of: 'API key',
      responses: { 401: reply('`missing_api_key`, `invalid_api_key`'), 403: reply('`insufficient_scope`') },
    },
    response: {
      200: reply('Success'),
      401: reply('`missing_api_key`, `invalid_api_key`'),
      403: reply('`plan_limit_reached`, `insufficient_scope`'),
      404: reply('`not_found`'),
    },
  };
  const lines = (['missing_api_key', 'invalid_api_key', 'insufficient_scope'] as const).map(
    (code) => `- ${ERRORS[code].status} \`${code}\`: ${ERRORS[code].message}`,
  );
  assert.deepEqual(describeCommonErrors(schema), {
    summary: 'Create it',
    response: {
      200: reply('Success'),
      403: reply('`plan_limit_reached`'),
      404: reply('`not_found`'),
      default: reply(`Errors: API key\n\n${lines.join('\n')}`),
    },
  });
});

test('a common error without a code is listed by its sentence; bodies of two kinds are alternatives', () => {
  const invalid = reply('The body is invalid, or `idempotency_key_reused`.', 'problems');
  const common = { of: 'body', responses: { 415: reply('`unsupported_media_type`'), 422: invalid } };
  const { response } = describeCommonErrors({
    [COMMON_ERRORS]: common,
    response: { ...common.responses },
  }) as { response: Record<string, { description: string; content: object }> };
  assert.deepEqual(Object.keys(response), ['default']);
  assert.match(
    response['default']!.description,
    /- 415 `unsupported_media_type`: .+\n- 422: The body is invalid, or `idempotency_key_reused`\.$/,
  );
  assert.deepEqual(response['default']!.content, { 'application/json': { schema: invalidBodySchema } });
});

test('a route without common errors stays as it is', () => {
  const schema = { response: { 200: reply('Success'), 404: reply('`not_found`') } };
  assert.deepEqual(describeCommonErrors(schema), schema);
});
