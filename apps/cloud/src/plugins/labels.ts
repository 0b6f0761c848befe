import type { FastifyInstance } from 'fastify';
import { createReadLabels } from '../flows/read-labels.ts';

/** Adds the labels of a request to its principal, once its body is read. */
export function registerLabels(app: FastifyInstance): void {
  const readLabels = createReadLabels();
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.principal !== null) {
      const labels = readLabels(request.headers, request.body);
      if (labels !== null) request.principal = { ...request.principal, labels };
    }
    done();
  });
}
