import { API_ENDPOINTS, type Endpoint, PROVIDERS } from '@csg/shared/providers';

/** An endpoint of a built-in provider, and its path in the service. */
export interface ServedEndpoint {
  readonly endpoint: Endpoint;
  /** Value of `{version}` in its path. */
  readonly version: string;
  /** Below `/api`, with names in braces. The version is that of the service's own API. */
  readonly path: string;
  /** For the API reference; the ids and summaries of other versions include the version. */
  readonly operationId: string;
  readonly summary: string;
}

const OWN_VERSIONS = ['', 'v1'];

export const SERVED_ENDPOINTS: readonly ServedEndpoint[] = API_ENDPOINTS.filter(({ name }) =>
  PROVIDERS.some((one) => one.baseUrl !== undefined && one.endpoints.some((has) => has.name === name)),
).flatMap((endpoint) =>
  (endpoint.versions ?? ['']).map((version) => {
    const { name, operationId = name, summary = name } = endpoint;
    // For `v1beta`, the only other version.
    const isOwn = OWN_VERSIONS.includes(version);
    return {
      endpoint,
      version,
      path: (endpoint.servedUnder ?? '') + endpoint.path.replace('{version}', version),
      operationId: isOwn ? operationId : `${operationId}Beta`,
      summary: isOwn ? summary : `${summary}, ${version}`,
    };
  }),
);

/** In the usual notation: `POST /api/v1/chat/completions`. */
export const SERVED_ADDRESSES: readonly string[] = SERVED_ENDPOINTS.map(
  ({ endpoint, path }) => `${endpoint.method} /api${path}`,
);
