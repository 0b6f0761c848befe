import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { openToAll } from './route-access.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Notes every route from here on; the returned function answers 405 for the methods they do not take. */
export function collectMethods(app: FastifyInstance): (scope: FastifyInstance) => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const methods = known.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) methods.add(method);
    known.set(route.url, methods);
  });
  return (scope) => {
    // Copied first: the routes added here would otherwise be collected as well.
    const taken = [...known].map(([url, methods]) => [url, new Set(methods)] as const);
    for (const [url, methods] of taken) {
      if (url.includes('*')) continue;
      // CORS answers OPTIONS on every address.
      const rest = METHODS.filter((method) => !methods.has(method) && method !== 'OPTIONS');
      if (rest.length === 0) continue;
      scope.route({
        method: rest,
        url,
        config: openToAll(),
        schema: { hide: true },
        handler: async () => {
          throw new CodedError('method_not_allowed', { headers: { Allow: [...methods].join(', ') } });
        },
      });
    }
  };
}
