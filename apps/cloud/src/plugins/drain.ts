import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';

/**
 * While the service ends, requests that still come over open connections are told to come again elsewhere.
 * Liveness and readiness go on answering: readiness is how a load balancer learns of it.
 */
export function registerDrain(app: FastifyInstance, isDraining: () => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isDraining() || request.url.startsWith('/health')) return done();
    done(
      new CodedError('service_unavailable', {
        message: 'The service is shutting down. Send this request again.',
        headers: { Connection: 'close', 'Retry-After': '1' },
        fields: { retry_after: 1 },
      }),
    );
  });
}
