import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from '@csg/shared/contract';
import { shareParts } from '../../../apps/cloud/src/openapi/shared-parts.ts';

const bodyOf = (name: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});
const idParameter = (schema: object) => ({ in: 'path', name: 'id', required: true, schema });
const short = idParameter({ type: 'string', maxLength: 64 });

function share(operations: readonly object[]) {
  const paths = Object.fromEntries(operations.map((one, index) => [`/${index}`, { get: one }]));
  const document = { paths, webhooks: {}, components: { schemas: { B: {}, A: {} }, securitySchemes: {} } };
  return shareParts(document as unknown as Parameters<typeof shareParts>[0]) as {
    paths: Record<string, { get: { responses: object; parameters?: unknown[]; requestBody?: object } }>;
    components: Record<string, Record<string, unknown>>;
  };
}

test('a response with one error code is that row of the error table; several codes are listed', () => {
  const { paths, components } = share([
    {
      responses: {
        200: { description: 'Success', content: bodyOf('A') },
        204: { description: 'No content.' },
        404: { description: '`not_found`', content: bodyOf('ErrorResponse') },
        409: { description: '`invalid_state`, `owner_protected`', content: bodyOf('ErrorResponse') },
        422: { description: 'The body is invalid.', content: bodyOf('ValidationError') },
      },
    },
  ]);
  assert.deepEqual(paths['/0']!.get.responses, {
    200: { description: 'Success', content: bodyOf('A') },
    204: { description: 'No content.' },
    404: { $ref: '#/components/responses/not_found' },
    409: {
      $ref: '#/components/responses/ErrorResponse',
      description: '`invalid_state`, `owner_protected`',
    },
    422: { $ref: '#/components/responses/ValidationError', description: 'The body is invalid.' },
  });
  assert.deepEqual(Object.keys(components['responses']!), ['ErrorResponse', 'ValidationError', 'not_found']);
  assert.deepEqual(components['responses']!['not_found'], {
    description: `\`not_found\` (${ERRORS.not_found.type}): ${ERRORS.not_found.message}`,
    content: bodyOf('ErrorResponse'),
  });
  assert.deepEqual(Object.keys(components['schemas']!), ['A', 'B'], 'in the order of their names');
});

test('a response that operations repeat is shared, named by its sentence, its codes or its schema', () => {
  const two = { description: '`not_signed_in`, `unauthorized`', content: bodyOf('ErrorResponse') };
  const many = { description: '`a`, `b`, `c`, `dddddddddddddddddddddddddddddddddddddddddddddddddd`' };
  const manyOthers = { description: many.description.replace('`a`, `b`', '`a`, `x`') };
  const responses = (more: object) => ({
    200: { description: 'Success', content: bodyOf('Key') },
    401: two,
    403: { ...many, content: bodyOf('ErrorResponse') },
    422: { description: 'The body is invalid.', content: bodyOf('ValidationError') },
    ...more,
  });
  const rarer = { 409: { ...manyOthers, content: bodyOf('ErrorResponse') } };
  const { paths, components } = share(
    [{}, {}, rarer, rarer].map((more) => ({ responses: structuredClone(responses(more)) })),
  );
  const refTo = (name: string) => ({ $ref: `#/components/responses/${name}` });
  assert.deepEqual(paths['/3']!.get.responses, {
    200: refTo('Key'),
    401: refTo('not_signed_in_or_unauthorized'),
    403: refTo('a_or_3_more'),
    409: { ...refTo('ErrorResponse'), ...manyOthers },
    422: refTo('the_body_is_invalid'),
  });
  assert.deepEqual(components['responses']!['not_signed_in_or_unauthorized'], two);
});

test('errors that a kind of operations shares are one response, named by its first line', () => {
  const common = { description: 'Errors: API key, body\n\n- 400 `a`: A.', content: bodyOf('ErrorResponse') };
  const { paths, components } = share([
    { responses: { default: common } },
    { responses: { default: structuredClone(common) } },
  ]);
  assert.deepEqual(paths['/1']!.get.responses, {
    default: { $ref: '#/components/responses/errors_api_key_body' },
  });
  assert.deepEqual(components['responses'], { errors_api_key_body: common });
});

test('a parameter is optional unless it says otherwise', () => {
  const optional = { in: 'query', name: 'page', schema: { type: 'string' } };
  const { paths } = share([{ responses: {}, parameters: [{ ...optional, required: false }, short] }]);
  assert.deepEqual(paths['/0']!.get.parameters, [optional, short]);
});

test('a path parameter is shared; one of the same name that differs stays in its operation', () => {
  const page = { in: 'query', name: 'id', schema: { type: 'string' } };
  const long = idParameter({ type: 'string' });
  const { paths, components } = share([
    { responses: {}, parameters: [short, page] },
    { responses: {}, parameters: [structuredClone(short)] },
    { responses: {}, parameters: [long] },
    { responses: {} },
  ]);
  const reference = { $ref: '#/components/parameters/id' };
  assert.deepEqual(
    Object.values(paths).map(({ get }) => get.parameters),
    [[reference, page], [reference], [long], undefined],
  );
  assert.deepEqual(components['parameters'], { id: short });
});

test('a request body of several operations is shared, under the name of the first', () => {
  const body = { required: true, content: bodyOf('ChatRequest') };
  const other = { required: true, content: bodyOf('OtherRequest') };
  const { paths, components } = share([
    { operationId: 'createChat', responses: {}, requestBody: body },
    { operationId: 'createOther', responses: {}, requestBody: other },
    { operationId: 'createAzureChat', responses: {}, requestBody: structuredClone(body) },
  ]);
  const reference = { $ref: '#/components/requestBodies/createChat' };
  assert.deepEqual(
    Object.values(paths).map(({ get }) => get.requestBody),
    [reference, other, reference],
  );
  assert.deepEqual(components['requestBodies'], { createChat: body });
});
