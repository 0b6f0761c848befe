import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { LAZY_COMPILERS } from '../../../apps/cloud/src/plugins/lazy-compilers.ts';

test('validates bodies and serializes responses by their schema, as Fastify itself does', async (t) => {
  const route = {
    schema: {
      body: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
      response: { 200: { type: 'object', properties: { a: { type: 'integer' } } } },
    },
  };
  const answers = [];
  for (const options of [{}, { schemaController: LAZY_COMPILERS }]) {
    const app = Fastify(options);
    t.after(() => app.close());
    app.post('/', route, async (request) => ({ ...(request.body as object), hidden: 1 }));
    for (const payload of [{ a: 1 }, { a: 'x' }, {}, { a: 2, b: 3 }]) {
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/', payload });
      answers.push([statusCode, body]);
    }
  }
  assert.equal(answers[0]?.[0], 200);
  assert.equal(answers[1]?.[0], 400);
  assert.deepEqual(answers.slice(4), answers.slice(0, 4));
});

test('gives the same results for named schemas, however often one is used', async (t) => {
  const answers = [];
  for (const name of [{}, { $id: 'Point' }]) {
    const point = { ...name, type: 'object', required: ['x'], properties: { x: { type: 'integer' } } };
    const line = {
      ...(name.$id === undefined ? {} : { $id: 'Line' }),
      type: 'object',
      required: ['from', 'to'],
      properties: { from: point, to: point, $id: { type: 'string' } },
    };
    const app = Fastify({ schemaController: LAZY_COMPILERS });
    t.after(() => app.close());
    for (const path of ['/a', '/b']) {
      const schema = { body: line, response: { 200: line } };
      app.post(path, { schema }, async (request) => ({ ...(request.body as object), hidden: 1 }));
    }
    const bodies = [{ from: { x: 1 }, to: { x: 2, y: 3 }, $id: 'l' }, { from: { x: 1 }, to: {} }, {}];
    for (const url of ['/a', '/b']) {
      for (const payload of bodies) {
        const { statusCode, body } = await app.inject({ method: 'POST', url, payload });
        answers.push([statusCode, body]);
      }
    }
  }
  assert.deepEqual(answers[0], [200, '{"from":{"x":1},"to":{"x":2},"$id":"l"}']);
  assert.deepEqual(answers[1]?.[0], 400);
  assert.deepEqual(answers.slice(6), answers.slice(0, 6));
});

test('does not compile an unused schema', async (t) => {
  const app = Fastify({ schemaController: LAZY_COMPILERS });
  t.after(() => app.close());
  app.post('/never', { schema: { body: { type: 'no such type' } } }, async () => 'x');
  app.get('/', async () => 'y');
  assert.equal((await app.inject('/')).body, 'y');
});

test('compiles equal schemas of two apps with the options of each', async (t) => {
  const codes = [];
  for (const coerceTypes of [true, false, true]) {
    const app = Fastify({ schemaController: LAZY_COMPILERS, ajv: { customOptions: { coerceTypes } } });
    t.after(() => app.close());
    const body = { type: 'object', properties: { a: { type: 'integer' } } };
    app.post('/', { schema: { body } }, async () => 'y');
    codes.push((await app.inject({ method: 'POST', url: '/', payload: { a: '1' } })).statusCode);
  }
  assert.deepEqual(codes, [200, 400, 200]);
});
