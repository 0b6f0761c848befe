import { API_ENDPOINTS, type Endpoint, PROVIDERS } from '@csg/shared/providers';

/** An endpoint of a built-in provider, and where the service serves it. */
export interface ServedEndpoint {
  readonly endpoint: Endpoint;
  /** What `{version}` in its path is here. */
  readonly version: string;
  /** Below `/api`, with names in braces. The version is that of the service's own interface. */
  readonly path: string;
}

export const SERVED_ENDPOINTS: readonly ServedEndpoint[] = API_ENDPOINTS.filter(({ name }) =>
  PROVIDERS.some((one) => one.baseUrl !== undefined && one.endpoints.some((has) => has.name === name)),
).flatMap((endpoint) =>
  (endpoint.versions ?? ['']).map((version) => ({
    endpoint,
    version,
    path: (endpoint.servedUnder ?? '') + endpoint.path.replace('{version}', version),
  })),
);

/** As people write them: `POST /api/v1/chat/completions`. */
export const SERVED_ADDRESSES: readonly string[] = SERVED_ENDPOINTS.map(
  ({ endpoint, path }) => `${endpoint.method} /api${path}`,
);
