import { METHODS } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Matches URLs that no other route does: a URL with other methods gets 405 here, too. */
    isCatchAll?: boolean;
  }
}

const SERVED: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Responds with 405 and the allowed methods if a URL has routes for other methods only. Looks the methods up on
 * demand: a route for each URL and unsupported method would be thousands, and took half of the startup time.
 */
export function registerMethodNotAllowed(app: FastifyInstance): void {
  // Rejects unsupported methods without reading a body; otherwise Fastify would require one for some of them.
  for (const method of METHODS.filter((name) => !SERVED.includes(name))) {
    app.addHttpMethod(method, { overrideExisting: true });
  }
  const takes = (method: string, url: string): boolean => {
    const found = app.findRoute({ method, url });
    // Ignores wildcards: CORS, which handles OPTIONS for every URL, and catch-all routes.
    return found !== null && !('*' in found.params);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404 && request.routeOptions.config.isCatchAll !== true) return done();
    const methods = SERVED.filter((method) => takes(method, request.url));
    if (methods.length === 0 || methods.includes(request.method)) return done();
    const allowed = methods.join(', ');
    const message = `Method not allowed. Allowed: ${allowed}.`;
    done(new CodedError('method_not_allowed', { message, headers: { Allow: allowed } }));
  });
}
