import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { composeSchemas } from '../../../apps/cloud/src/openapi/compose-schemas.ts';

const text = { type: 'string' };
const five = { a: text, b: text, c: text, d: text, e: text };
const object = (properties: object, required: readonly string[], more: object = {}) => ({
  type: 'object',
  required,
  properties,
  ...more,
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('a shape that contains others is written as references to them and its own properties', () => {
  const schemas = {
    Base: object(five, ['a', 'b']),
    More: object({ ...five, f: text }, ['a', 'b', 'f']),
    Most: object({ ...five, f: text, g: { type: 'integer' } }, ['a', 'b', 'f', 'c'], { description: 'All.' }),
  };
  assert.deepEqual(composeSchemas(schemas), {
    Base: schemas.Base,
    More: { allOf: [ref('Base')], type: 'object', required: ['f'], properties: { f: text } },
    Most: {
      allOf: [ref('More')],
      type: 'object',
      required: ['c'],
      properties: { g: { type: 'integer' } },
      description: 'All.',
    },
  });
});

test('two parts are named if each brings enough properties of its own', () => {
  const others = { k: text, l: text, m: text, n: text, o: text };
  const whole = object({ ...five, ...others }, ['a', 'k']);
  const parts = { First: object(five, ['a']), Second: object(others, ['k']) };
  assert.deepEqual(composeSchemas({ ...parts, Whole: whole })['Whole'], {
    allOf: [ref('First'), ref('Second')],
    type: 'object',
  });
});

for (const [name, schemas] of Object.entries({
  'a property differs': {
    Base: object(five, []),
    Whole: object({ ...five, e: { type: 'integer' }, f: text }, []),
  },
  'the part requires more': { Base: object(five, ['a']), Whole: object({ ...five, f: text }, []) },
  'the part is closed to the properties of the whole': {
    Base: object(five, [], { additionalProperties: false }),
    Whole: object({ ...five, f: text }, []),
  },
  'the two are equal': { Base: object(five, ['a']), Whole: object(five, ['a']) },
  'too few properties are common': {
    Base: object({ a: text, b: text }, []),
    Whole: object({ ...five, f: text }, []),
  },
  'only a request has them': { ChangeBaseRequest: object(five, []), Base: object(five, ['a']) },
})) {
  test(`a shape stays whole if ${name}`, () => assert.deepEqual(composeSchemas(schemas), schemas));
}

test('a request with the properties of an existing shape refers to it', () => {
  const schemas = { Changes: object(five, []), ChangeRequest: object(five, []) };
  assert.deepEqual(composeSchemas(schemas), {
    Changes: schemas.Changes,
    ChangeRequest: { allOf: [ref('Changes')], type: 'object' },
  });
});

test('a composed shape accepts and rejects what the whole one does', () => {
  const schemas = {
    Base: object(five, ['a', 'b']),
    Whole: object({ ...five, f: text }, ['a', 'c', 'b', 'f']),
  };
  const whole = new Ajv2020({ strict: false }).compile(schemas.Whole);
  const composed = new Ajv2020({ strict: false })
    .addSchema({ $id: 'document', components: { schemas: composeSchemas(schemas) } })
    .compile({ $ref: 'document#/components/schemas/Whole' });
  const values = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => {
    const full = { a: '1', b: '1', c: '1', d: '1', e: '1', f: '1' };
    return [full, { ...full, [name]: undefined }, { ...full, [name]: 1 }, { ...full, other: 1 }];
  });
  const answers = values.map((value) => whole(JSON.parse(JSON.stringify(value))));
  assert.deepEqual(
    values.map((value) => composed(JSON.parse(JSON.stringify(value)))),
    answers,
  );
  assert.ok(answers.includes(true) && answers.includes(false));
});
