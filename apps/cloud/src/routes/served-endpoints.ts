import { API_ENDPOINTS, type Endpoint, PROVIDERS } from '@csg/shared/providers';

/** An endpoint of a built-in provider, and where the service serves it. */
export interface ServedEndpoint {
  readonly endpoint: Endpoint;
  /** What `{version}` in its path is here. */
  readonly version: string;
  /** Below `/api`, with names in braces. The version is that of the service's own interface. */
  readonly path: string;
  /** For the reference of the interface; other versions than its own say which they are. */
  readonly operationId: string;
  readonly summary: string;
}

const OWN_VERSIONS = ['', 'v1'];

export const SERVED_ENDPOINTS: readonly ServedEndpoint[] = API_ENDPOINTS.filter(({ name }) =>
  PROVIDERS.some((one) => one.baseUrl !== undefined && one.endpoints.some((has) => has.name === name)),
).flatMap((endpoint) =>
  (endpoint.versions ?? ['']).map((version) => {
    const { name, operationId = name, summary = name } = endpoint;
    // Of the other version there is, `v1beta`.
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

/** As people write them: `POST /api/v1/chat/completions`. */
export const SERVED_ADDRESSES: readonly string[] = SERVED_ENDPOINTS.map(
  ({ endpoint, path }) => `${endpoint.method} /api${path}`,
);
