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
    paths: Record<string, { get: { responses: object; parameters?: unknown[] } }>;
    components: Record<string, Record<string, unknown>>;
  };
}

test('a response of one error code is that row of the error table; of several, they are listed', () => {
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
    description: `\`not_found\`: ${ERRORS.not_found.message}`,
    content: {
      'application/json': {
        ...bodyOf('ErrorResponse')['application/json'],
        example: {
          error: { message: ERRORS.not_found.message, type: ERRORS.not_found.type, code: 'not_found' },
        },
      },
    },
  });
  assert.deepEqual(Object.keys(components['schemas']!), ['A', 'B'], 'in the order of their names');
});

test('a path parameter is written once; one of the same name that differs stays in its operation', () => {
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
