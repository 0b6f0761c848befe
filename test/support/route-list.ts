import type { FastifyInstance } from 'fastify';

export interface ListedRoute {
  readonly method: string;
  /** As registered, with `:name` for parameters. */
  readonly url: string;
}

/** Every route of the app, read from its router. Wildcards (static files, CORS preflights) are left out. */
export function listRoutes(app: FastifyInstance): ListedRoute[] {
  const routes: ListedRoute[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^([│ ├└─]*?)[├└]── (\S+)(?: \(([A-Z, -]+)\))?/.exec(line);
    if (found === null) continue;
    const [, indent = '', part = '', methods] = found;
    const depth = indent.length / 4;
    const url = (above[depth - 1] ?? '') + part;
    above[depth] = url;
    if (part.includes('*')) continue;
    const written = url.replace(/\(\.\+\)/g, '').replaceAll('::', ':');
    for (const method of methods?.split(', ') ?? []) routes.push({ method, url: written });
  }
  return routes;
}
