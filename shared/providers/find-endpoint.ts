import type { Endpoint } from './provider.ts';
import { ENDPOINTS, isWebApp, PROVIDERS } from './registry.ts';

export interface RequestAddress {
  readonly method: string;
  /** Omitted: any known path matches, for the service's own routes and configured providers. */
  readonly host?: string;
  /** With or without its query. */
  readonly path: string;
}

/** Prefixes under which the service, or a proxy in front of it, may be mounted. */
const PREFIX = '(?:/proxy)?(?:/api)?(?:/v1)?(?:/proxy)?';

interface PathOfEndpoint {
  readonly endpoint: Endpoint;
  readonly path: RegExp;
}

const OWN_PATHS = [...ENDPOINTS.values()].flatMap((endpoint) => pathsOf(endpoint, PREFIX));
const HOSTS = PROVIDERS.map(({ hosts, endpoints }) => ({
  hosts,
  paths: endpoints.flatMap((endpoint) => pathsOf(endpoint, '.*')),
}));

/** Finds the endpoint of a request by its address alone, if there is one. */
export function findEndpoint({ method, host, path }: RequestAddress): Endpoint | undefined {
  const bare = (path.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '');
  const paths = host === undefined ? OWN_PATHS : pathsOfHost(host);
  const found = paths?.find((one) => one.path.test(bare))?.endpoint;
  if (found === undefined) return undefined;
  const verb = method.toUpperCase();
  return isWebApp(found.format) ? (verb === 'GET' ? undefined : found) : verb === 'POST' ? found : undefined;
}

function pathsOfHost(host: string): readonly PathOfEndpoint[] | undefined {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return HOSTS.find(({ hosts }) => hosts.some((known) => isHost(name, known)))?.paths;
}

function isHost(name: string, known: string): boolean {
  return known.startsWith('*.') ? name.endsWith(known.slice(1)) : name === known;
}

/** Returns the paths of an endpoint that takes bodies, without its version: the prefix differs from host to host. */
function pathsOf(endpoint: Endpoint, prefix: string): PathOfEndpoint[] {
  if (endpoint.method !== 'POST' || endpoint.isBodiless) return [];
  if (endpoint.pattern !== undefined) return prefix === PREFIX ? [] : [{ endpoint, path: endpoint.pattern }];
  const unversioned = endpoint.path.replace(/^\/v\d\w*(?=\/)/, '');
  const parts = unversioned.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return [{ endpoint, path: new RegExp(`^${prefix}${parts.join('[^/]+')}$`) }];
}
