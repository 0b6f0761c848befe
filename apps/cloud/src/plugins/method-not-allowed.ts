import { METHODS } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import createRouter from 'find-my-way';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes what no other route takes: an address that has other methods is one of another method here, too. */
    isCatchAll?: boolean;
  }
}

const SERVED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/**
 * Answers 405, with the right methods, for an address whose routes take other methods. The addresses are kept in a
 * router of their own: a route for each address and unsupported method would be thousands, which was half of the time
 * that the app took to start.
 */
export function registerMethodNotAllowed(
  app: FastifyInstance,
  options: { readonly maxParamLength: number },
): void {
  const addresses = createRouter(options);
  app.addHook('onRoute', ({ url, method }) => {
    // CORS answers OPTIONS on every address.
    if (url.includes('*')) return;
    const known: Set<string> | undefined = addresses.findRoute('GET', url)?.store;
    if (known === undefined) addresses.on('GET', url, () => {}, new Set([method].flat()));
    else for (const one of [method].flat()) known.add(one);
  });
  // What no route takes is answered unread; Fastify would ask some for a body first and deny that it knows others.
  for (const method of METHODS.filter((name) => !SERVED.includes(name))) {
    app.addHttpMethod(method, { overrideExisting: true });
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404 && request.routeOptions.config.isCatchAll !== true) return done();
    const methods: Set<string> | undefined = addresses.find('GET', request.url)?.store;
    if (methods === undefined || methods.has(request.method)) return done();
    done(new CodedError('method_not_allowed', { headers: { Allow: [...methods].join(', ') } }));
  });
}
