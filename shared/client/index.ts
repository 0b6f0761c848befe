import createFetch, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from './schema.ts';

export type * from './schema.ts';

export interface GatewayOptions {
  /** Where the gateway is, such as `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
  /** The service key, `svc_live_…`. */
  readonly apiKey: string;
  /** Default: the global one. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** What the gateway says went wrong: branch on `code`. */
export class GatewayError extends Error {
  readonly status: number;
  /** `validation_error` where the body did not fit. */
  readonly code: string;
  /** From X-Request-ID; name it when you ask for help. */
  readonly requestId: string | null;
  /** The whole error object, or the `detail` array of a 422. */
  readonly body: unknown;
  constructor(status: number, code: string, message: string, requestId: string | null, body: unknown) {
    super(message);
    this.name = 'GatewayError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.body = body;
  }
}

export type GatewayClient = Client<paths>;

/**
 * Every route of the developer interface, typed from the OpenAPI file:
 * `const { data } = await gateway.POST('/api/v1/security/scan', { body: { content } })`.
 * Answers outside 2xx throw a GatewayError; a block is a 200 with `decision: "block"` and throws nothing.
 */
export function createGatewayClient(options: GatewayOptions): GatewayClient {
  const client = createFetch<paths>({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: { 'X-API-Key': options.apiKey },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  client.use(throwErrors);
  return client;
}

/** One request to `/dashboard/*`; the body of the response, or null. Rejects with a GatewayError. */
export type DashboardCall = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<unknown>;

/** The administration of an organization for programs, with an organization token (`svc_admin_…`). */
export function createDashboardClient(options: {
  readonly baseUrl: string;
  readonly token: string;
}): DashboardCall {
  // biome-ignore lint/suspicious/noExplicitAny: its routes are called by path.
  const client = createFetch<any>({
    baseUrl: `${options.baseUrl.replace(/\/+$/, '')}/dashboard`,
    headers: { authorization: `Bearer ${options.token}` },
  });
  client.use(throwErrors);
  return async (method, path, body) => {
    const { data } = await client.request(
      method.toLowerCase() as 'get',
      path,
      body === undefined ? {} : { body },
    );
    return data ?? null;
  };
}

const throwErrors: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return undefined;
    throw await readError(response);
  },
};

async function readError(response: Response): Promise<GatewayError> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id');
  const text = await response.text();
  const body = parse(text) as { error?: { code?: string; message?: string }; detail?: Detail[] } | undefined;
  if (body?.error !== undefined) {
    const { code = 'unknown', message = `The gateway answered with ${status}.` } = body.error;
    return new GatewayError(status, code, message, requestId, body.error);
  }
  if (Array.isArray(body?.detail)) {
    const message = body.detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ');
    return new GatewayError(status, 'validation_error', message, requestId, body.detail);
  }
  return new GatewayError(status, 'unknown', `The gateway answered with ${status}.`, requestId, text);
}

interface Detail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
