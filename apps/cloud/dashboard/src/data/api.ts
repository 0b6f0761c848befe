/** Every call to the service: same origin, the session's cookie, one kind of error. */

/** What the service said no with; `message` is for people. */
export class ApiError extends Error {
  /** HTTP status; 0: nobody answered. */
  readonly status: number;
  /** `error.code`, or `validation_error`, or `unreachable`. */
  readonly code: string;
  /** Sentences next to fields, by the field's name, from a 422. */
  readonly fields: Readonly<Record<string, string>>;
  /** What else stands at the top level of `error`. */
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

/** Told by GET /dashboard/session; sent with everything that changes something. */
let csrfToken = '';

export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** `path` is below `/dashboard`, such as `/keys`. Throws ApiFault. */
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
      message: 'The gateway does not answer. Is it running, and is this computer online?',
    });
  }
  const text = await response.text();
  const body = parseJson(text);
  if (response.ok) return body as Data;
  throw toApiError(response.status, body);
}

/** `?a=1&b=x`, or nothing. Empty values are left out. */
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

/** An error envelope, a 422 body, or whatever stands in between (a front proxy's page). */
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
          ? 'Some input is not valid.'
          : `${upperFirst(field)}: ${readableMessage(first.msg)}`,
      fields,
    });
  }
  if (error?.code !== undefined) {
    const { message = 'This did not work.', code, type: _type, ...more } = error;
    return new ApiError({ status, code, message, more });
  }
  return new ApiError({
    status,
    code: 'unexpected',
    message: `Something between this browser and the gateway answered with ${status}. Try again in a moment.`,
  });
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function readableMessage(msg: string): string {
  return msg.replace(/^Input should/, 'It should').replace(/^Field required$/, 'This is needed.');
}
