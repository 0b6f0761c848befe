import type { FastifyInstance } from 'fastify';

/** Says on every response which request it answers: quote `X-Request-ID` when reporting a failure. */
export function registerRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-ID', request.id);
    done();
  });
}
