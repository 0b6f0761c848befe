/** Calls to the service: same origin, session cookie, one error class. */

/** An error response of the service; `message` is shown to the user. */
export class ApiError extends Error {
  /** HTTP status; 0 if the service did not respond. */
  readonly status: number;
  /** `error.code`, or `validation_error`, or `unreachable`. */
  readonly code: string;
  /** Messages of a 422 by field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The other members of `error`. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(error: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly fields?: Readonly<Record<string, string>>;
    readonly more?: Readonly<Record<string, unknown>>;
  }) {
    super(error.message);
    this.name = 'ApiFault';
    this.status = error.status;
    this.code = error.code;
    this.fields = error.fields ?? {};
    this.more = error.more ?? {};
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** From GET /dashboard/session; sent with every request that changes something. */
let csrfToken = '';

export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** `path` is relative to `/dashboard`, such as `/keys`. Throws ApiError. */
export async function callApi<Data>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: { readonly query?: Query; readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(`/dashboard${path}${queryText(options.query)}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(method === 'GET' ? {} : { 'X-CSRF-Token': csrfToken }),
        ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError({
      status: 0,
      code: 'unreachable',
      message: 'The gateway is not responding. Check that it is running and that this computer is online.',
    });
  }
  const text = await response.text();
  const body = parseJson(text);
  if (response.ok) return body as Data;
  throw toApiError(response.status, body);
}

/** `?a=1&b=x`, or an empty string. Empty values are omitted. */
export function queryText(query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads an error envelope, a 422 body, or the page of a proxy in front of the service. */
export function toApiError(status: number, body: unknown): ApiError {
  const { error, detail } = (body ?? {}) as {
    error?: { message?: string; code?: string; type?: string };
    detail?: { loc: (string | number)[]; msg: string }[];
  };
  if (Array.isArray(detail)) {
    const fields: Record<string, string> = {};
    for (const { loc, msg } of detail) fields[loc.slice(1).join('.')] ??= readableMessage(msg);
    const first = detail[0];
    const field = first?.loc.slice(1).join(' ').replaceAll('_', ' ') ?? '';
    return new ApiError({
      status,
      code: 'validation_error',
      message:
        first === undefined
          ? 'Some fields are invalid.'
          : `${upperFirst(field)}: ${readableMessage(first.msg)}`,
      fields,
    });
  }
  if (error?.code !== undefined) {
    const { message = 'The request failed.', code, type: _type, ...more } = error;
    return new ApiError({ status, code, message, more });
  }
  return new ApiError({
    status,
    code: 'unexpected',
    message: `A proxy between this browser and the gateway returned HTTP ${status}. Try again in a moment.`,
  });
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function readableMessage(msg: string): string {
  return msg.replace(/^Input should/, 'Must').replace(/^Field required$/, 'This field is required.');
}
