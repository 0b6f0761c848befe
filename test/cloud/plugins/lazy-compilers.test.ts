import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { LAZY_COMPILERS } from '../../../apps/cloud/src/plugins/lazy-compilers.ts';

test('bodies are held to their schema and answers written by it, as Fastify itself does', async (t) => {
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

test('a schema that nobody has used yet costs nothing', async (t) => {
  const app = Fastify({ schemaController: LAZY_COMPILERS });
  t.after(() => app.close());
  app.post('/never', { schema: { body: { type: 'no such type' } } }, async () => 'x');
  app.get('/', async () => 'y');
  assert.equal((await app.inject('/')).body, 'y');
});
