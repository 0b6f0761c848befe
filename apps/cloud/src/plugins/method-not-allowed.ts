import { METHODS } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { openToAll } from './route-access.ts';

const SERVED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
/** CORS answers OPTIONS on every address; CONNECT never gets as far as a route. */
const HANDLED_ELSEWHERE = ['OPTIONS', 'CONNECT'];

/** Notes every route from here on; the returned function answers 405 for the methods they do not take. */
export function collectMethods(app: FastifyInstance): (scope: FastifyInstance) => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const methods = known.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) methods.add(method);
    known.set(route.url, methods);
  });
  return (scope) => {
    // What no route takes is answered unread; Fastify would ask some for a body first and deny that it knows others.
    for (const method of METHODS.filter((name) => !SERVED.includes(name))) {
      scope.addHttpMethod(method, { overrideExisting: true });
    }
    // Copied first: the routes added here would otherwise be collected as well.
    const taken = [...known].map(([url, methods]) => [url, new Set(methods)] as const);
    for (const [url, methods] of taken) {
      if (url.includes('*')) continue;
      const rest = METHODS.filter((method) => !methods.has(method) && !HANDLED_ELSEWHERE.includes(method));
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
