/**
 * Every error response of the service: code -> status, type, default message. Closed on purpose: error-reply turns a
 * coded error into the envelope and nothing else may write one. The messages are for people; `code` is stable and is
 * what clients branch on.
 */
export interface ErrorRow {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

export const ERRORS = {
  missing_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'No API key was sent. Send your API key in the X-API-Key header.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'This API key is unknown. Check it for typos, or create a new one.',
  },
  unauthorized: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key is missing or unknown. Send your API key in the X-API-Key header.',
  },
  disabled_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'This API key is disabled. Enable it again, or use another key.',
  },
  expired_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'This API key has expired. Create a new key.',
  },
  missing_provider_key: {
    status: 401,
    type: 'authentication_error',
    message:
      'No provider credential was sent. Send it as "Authorization: Bearer <PROVIDER_KEY>", or store one on the project.',
  },
  invalid_enrollment_token: {
    status: 401,
    type: 'authentication_error',
    message: 'This enrollment token is unknown, used up or expired. Ask your admin for a new one.',
  },
  not_signed_in: {
    status: 401,
    type: 'authentication_error',
    message: 'You are not signed in, or your session has ended. Sign in again.',
  },
  wrong_credentials: {
    status: 401,
    type: 'authentication_error',
    message: 'Wrong email or password.',
  },
  second_factor_required: {
    status: 401,
    type: 'authentication_error',
    message: 'Enter the code of your authenticator app, or one of your recovery codes.',
  },
  wrong_code: {
    status: 401,
    type: 'authentication_error',
    message: 'This code is wrong or was already used. Enter a new code.',
  },
  second_factor_missing: {
    status: 403,
    type: 'permission_error',
    message:
      'This organization requires two-factor authentication. Enable it for your account, then try again.',
  },
  sso_required: {
    status: 403,
    type: 'permission_error',
    message: 'This organization requires single sign-on. Sign in through its identity provider.',
  },
  sso_refused: {
    status: 403,
    type: 'permission_error',
    message: 'Single sign-on was rejected. Start again.',
  },
  sso_unavailable: {
    status: 503,
    type: 'service_unavailable',
    message: 'The identity provider cannot be reached. Try again shortly, or sign in with your password.',
  },
  foreign_request: {
    status: 403,
    type: 'permission_error',
    message: 'This request did not come from a page of this service. Reload the page and try again.',
  },
  link_expired: {
    status: 410,
    type: 'invalid_request_error',
    message: 'This link was already used, was replaced by a newer one, or has expired. Request a new one.',
  },
  owner_protected: {
    status: 409,
    type: 'conflict_error',
    message: 'The owner cannot be removed or given another role. Transfer the organization first.',
  },
  sign_up_closed: {
    status: 403,
    type: 'permission_error',
    message: 'A new account requires an invitation. Ask an admin of your organization for one.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    message: 'This key is not allowed to use this endpoint.',
  },
  model_not_allowed: {
    status: 403,
    type: 'permission_error',
    message: 'This key may not be used for this model.',
  },
  insufficient_role: {
    status: 403,
    type: 'permission_error',
    message: 'Your role in this organization does not allow this.',
  },
  ip_not_allowed: {
    status: 403,
    type: 'permission_error',
    message: 'The organization does not allow requests from this IP address.',
  },
  email_not_verified: {
    status: 403,
    type: 'permission_error',
    message: 'Creating a key requires a confirmed email address. Confirm yours first.',
  },
  plan_limit_reached: {
    status: 403,
    type: 'permission_error',
    message: "The plan's allowance is used up. Delete something or change the plan.",
  },
  feature_not_available: {
    status: 403,
    type: 'permission_error',
    message: 'This is not part of your plan.',
  },
  request_blocked: {
    status: 403,
    type: 'content_filter',
    message: 'This request was blocked by the content security policy.',
  },
  response_blocked: {
    status: 403,
    type: 'content_filter',
    message: "The model's response was blocked by the content security policy.",
  },
  content_blocked: {
    status: 403,
    type: 'content_filter',
    message: "The model's response was blocked by the content security policy.",
  },
  quota_exceeded: {
    status: 403,
    type: 'quota_exceeded',
    message: 'The monthly quota is used up.',
  },
  monthly_quota_exceeded: {
    status: 429,
    type: 'quota_exceeded',
    message: 'The monthly quota is used up.',
  },
  spending_limit_exceeded: {
    status: 429,
    type: 'quota_exceeded',
    message: 'The spending limit for this month is reached.',
  },
  subscription_inactive: {
    status: 429,
    type: 'subscription_inactive',
    message: 'No active plan covers this key.',
  },
  token_budget_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'The daily token limit of this key is used up. It resets at midnight UTC.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_exceeded',
    message: 'Too many requests this minute. Try again when the window resets.',
  },
  bot_detected: {
    status: 429,
    type: 'bot_detected',
    message:
      'Too many failed authentication attempts from this IP address. Try again after the time in Retry-After.',
  },
  invalid_request: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The request could not be read.',
  },
  invalid_preset: {
    status: 400,
    type: 'invalid_request_error',
    message: 'This preset is unknown.',
  },
  invalid_signature: {
    status: 401,
    type: 'authentication_error',
    message: 'The signature is missing or does not match the body.',
  },
  invalid_state: {
    status: 409,
    type: 'conflict_error',
    message: 'This is already decided or finished.',
  },
  not_found: { status: 404, type: 'not_found_error', message: 'Not found. Check the URL of the request.' },
  unsupported_route: {
    status: 404,
    type: 'not_found_error',
    message: 'This provider route is not supported. Nothing was forwarded.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    message: 'Method not allowed for this URL.',
  },
  payload_too_large: { status: 413, type: 'invalid_request_error', message: 'The body is too large.' },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    message: 'Send the body as application/json in UTF-8.',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'idempotency_error',
    message:
      'This Idempotency-Key was already used with a different request. Use a new key for a new request.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    message: 'A request with this Idempotency-Key is still running. Try again shortly.',
  },
  idempotency_not_replayable: {
    status: 409,
    type: 'idempotency_error',
    message:
      'The request with this Idempotency-Key was completed, but its response was too large to be stored. It was not run again. To run it again, use a new key.',
  },
  detection_unavailable: {
    status: 503,
    type: 'service_unavailable',
    message: 'The scan could not run and this project fails closed, so nothing was forwarded.',
  },
  engine_unavailable: {
    status: 503,
    type: 'service_unavailable',
    message: 'The detection engine could not start.',
  },
  service_unavailable: {
    status: 503,
    type: 'service_unavailable',
    message: 'The service cannot take this request right now. Try again shortly.',
  },
  provider_error: {
    status: 502,
    type: 'provider_error',
    message: 'The model provider could not respond.',
  },
  address_refused: {
    status: 400,
    type: 'invalid_request_error',
    message: 'This address may not be fetched.',
  },
  page_not_supported: {
    status: 400,
    type: 'invalid_request_error',
    message: 'This page cannot be read.',
  },
  page_unreachable: {
    status: 502,
    type: 'page_error',
    message: 'The page could not be fetched.',
  },
  page_timeout: {
    status: 504,
    type: 'page_error',
    message: 'The page did not load within the timeout.',
  },
  renderer_unavailable: {
    status: 503,
    type: 'service_unavailable',
    message:
      'This service has no browser to render pages. Send "render_js": false, or ask the operator to install Chromium (on Debian: apt-get install chromium) or to set CHROMIUM_PATH.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    message: 'The request took too long to arrive.',
  },
  internal_error: {
    status: 500,
    type: 'internal_error',
    message: 'Something went wrong on our side. Quote the error_id when you report it.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorOptions {
  /** Replaces the table's message. Never put request text in it. */
  readonly message?: string;
  /** Replaces the table's status; only provider errors pass on a provider's own. */
  readonly status?: number;
  readonly type?: string;
  /** The number that clients of a provider read as `code`; ours is then `service_code`. */
  readonly shownCode?: number | undefined;
  /** Code-specific fields, written at the top level of `error`. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Response headers that belong to this error, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An expected failure with a code from the table. Throw it anywhere; plugins/error-reply writes it. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: string;
  readonly shownCode: number | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    const row = ERRORS[code];
    super(options.message ?? row.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CodedError';
    this.code = code;
    this.status = options.status ?? row.status;
    this.type = options.type ?? row.type;
    this.shownCode = options.shownCode;
    this.fields = options.fields ?? {};
    this.headers = options.headers ?? {};
  }
}

export interface ErrorEnvelope {
  error: { message: string; type: string; code: ErrorCode | number; [field: string]: unknown };
}

/** The one shape of an error body: `{error: {message, type, code, ...fields}}`. */
export function errorEnvelope({ message, type, code, shownCode, fields }: CodedError): ErrorEnvelope {
  const codes = shownCode === undefined ? { code } : { code: shownCode, service_code: code };
  return { error: { message, type, ...codes, ...fields } };
}
