import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choice, nullable, shape, timestamp } from '@csg/shared/contract';
import Type, { type TSchema } from 'typebox';
import { type Components, nameRoute, referenceNamed } from '../../../apps/cloud/src/openapi/named-schemas.ts';

const colors = choice('Color', ['red', 'blue']);
const flower = shape('Flower', { color: colors, planted_at: nullable(timestamp), note: nullable(colors) });

test('a named schema is a reference wherever it is used, and a component once', () => {
  const components: Components = { schemas: {} };
  const shown = referenceNamed(Type.Array(flower), components);
  assert.deepEqual(shown, { type: 'array', items: { $ref: '#/components/schemas/Flower' } });
  assert.deepEqual(referenceNamed(flower, components), { $ref: '#/components/schemas/Flower' });
  assert.deepEqual(components.schemas, {
    Color: { type: 'string', enum: ['red', 'blue'] },
    Flower: {
      type: 'object',
      required: ['color', 'planted_at', 'note'],
      properties: {
        color: { $ref: '#/components/schemas/Color' },
        planted_at: { type: ['string', 'null'], format: 'date-time' },
        note: { anyOf: [{ $ref: '#/components/schemas/Color' }, { type: 'null' }] },
      },
    },
  });
  assert.equal(flower.properties.color, colors, 'the schema itself stays whole');
});

test('a description next to a nullable value applies to the value and null together', () => {
  const shown = referenceNamed(nullable(Type.Integer({ minimum: 0 }), { description: 'None: null.' }), {
    schemas: {},
  });
  assert.deepEqual(shown, { type: ['integer', 'null'], minimum: 0, description: 'None: null.' });
});

test('a record with any keys has additional properties; one with a pattern keeps its pattern', () => {
  const shown = (schema: TSchema) => referenceNamed(schema, { schemas: {} });
  const value = { type: 'integer' };
  assert.deepEqual(shown(Type.Record(Type.String(), Type.Integer())), {
    type: 'object',
    additionalProperties: value,
  });
  const patternProperties = { '^a+$': value };
  assert.deepEqual(shown({ type: 'object', patternProperties } as TSchema), {
    type: 'object',
    patternProperties,
  });
});

test('two schemas that differ may not share a name', () => {
  const components: Components = { schemas: {} };
  referenceNamed(flower, components);
  const other = shape('Flower', { color: Type.String() });
  assert.throws(() => referenceNamed(other, components), /both named Flower/);
});

test('a response gets a description of its own; parameters stay in place', () => {
  const components: Components = { schemas: {} };
  const { params, response } = nameRoute(
    {
      params: Type.Object({ color: colors }),
      response: {
        200: shape('Garden', { flowers: Type.Array(flower) }, { description: 'All of it.' }),
        201: Type.Array(flower),
        204: { type: 'null', description: 'No content.' },
        404: { description: 'Gone.', content: { 'application/json': { schema: flower } } },
      },
    },
    components,
  ) as Record<string, Record<string, unknown>>;
  assert.deepEqual((params as { properties: object }).properties, {
    color: { $ref: '#/components/schemas/Color' },
  });
  assert.deepEqual(response, {
    200: { $ref: '#/components/schemas/Garden', description: 'All of it.' },
    201: { $ref: '#/components/schemas/FlowerList', description: 'Success' },
    204: { type: 'null', description: 'No content.' },
    404: {
      description: 'Gone.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Flower' } } },
    },
  });
});
