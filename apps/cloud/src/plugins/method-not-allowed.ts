import { METHODS } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes what no other route takes: an address that has other methods is one of another method here, too. */
    isCatchAll?: boolean;
  }
}

const SERVED: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers 405, with the right methods, for an address whose routes take other methods. They are looked up when it is
 * asked: a route for each address and unsupported method would be thousands, which was half of the time that the app
 * took to start.
 */
export function registerMethodNotAllowed(app: FastifyInstance): void {
  // What no route takes is answered unread; Fastify would ask some for a body first and deny that it knows others.
  for (const method of METHODS.filter((name) => !SERVED.includes(name))) {
    app.addHttpMethod(method, { overrideExisting: true });
  }
  const takes = (method: string, url: string): boolean => {
    const found = app.findRoute({ method, url });
    // A wildcard is no address; among them are CORS, which answers OPTIONS on every address, and catch-alls.
    return found !== null && !('*' in found.params);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404 && request.routeOptions.config.isCatchAll !== true) return done();
    const methods = SERVED.filter((method) => takes(method, request.url));
    if (methods.length === 0 || methods.includes(request.method)) return done();
    done(new CodedError('method_not_allowed', { headers: { Allow: methods.join(', ') } }));
  });
}
