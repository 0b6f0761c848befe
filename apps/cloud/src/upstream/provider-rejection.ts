import { CodedError } from '@csg/shared/contract';
import type { Provider } from './provider.ts';
import type { UpstreamResponse } from './send.ts';

/** A parsed provider response outside 2xx. Scan its texts before showing them. */
export interface ProviderRejection {
  readonly status: number;
  /** The provider's own text; empty if there is none. */
  readonly message: string;
  /** The provider's own error names; null unless they look like names. */
  readonly code: string | null;
  readonly type: string | null;
  readonly param: string | null;
  /** Further members of its error object, in which its clients look for the cause: `status`, `details`, `metadata`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Errors of providers are smaller than this; a page of HTML is not read at all. */
const MAX_ERROR_BODY = 64 * 1024;

/**
 * Reads `{error: {message, type, code, param}}` (OpenAI), `{type: "error", error: {type, message}}` (Anthropic),
 * `{error: {code: 429, message, status, details}}`, also in a list (Google), `{error: "..."}`, `{message}` and
 * `{detail}` (compatible servers). Never throws.
 */
export function readRejection(
  response: Pick<UpstreamResponse, 'status' | 'kind' | 'body'>,
): ProviderRejection {
  const { status } = response;
  const body =
    response.kind === 'json' && response.body.length <= MAX_ERROR_BODY ? parseObject(response.body) : null;
  const inner = asObject(body?.['error']) ?? body ?? {};
  const message = [inner['message'], body?.['error'], body?.['message'], body?.['detail']].find(
    (text) => typeof text === 'string',
  );
  return {
    status,
    message: ((message as string | undefined) ?? '').toWellFormed().trim(),
    code: readName(inner['code']),
    type: readName(inner['type']),
    param: readName(inner['param']),
    details: Object.fromEntries(
      Object.entries(inner).filter(([name, value]) => !OWN_MEMBERS.has(name) && value !== message),
    ),
  };
}

/** Members of our own error object, which a provider's never replace. */
const OWN_MEMBERS = new Set([
  ...['message', 'type', 'code', 'param', 'service_code', 'event_id', 'dashboard_url', 'error_id'],
  ...['provider', 'provider_status', 'provider_code', 'provider_type', 'reason', 'retry_after'],
]);

/**
 * Returns the rejection in our envelope. `rejection` is what the provider sent, `shown` what the scan left: null
 * withholds its texts. `headers`: provider headers that the client may see; the content type is ours.
 * 401 and rejected credentials -> `invalid_api_key` 401, for a 401 without the provider's text;
 * 429 -> `rate_limit_exceeded`, type `rate_limit_error`, without `retry_after`, except for an exhausted quota: that
 * is a `provider_error`, because clients retry a rate limit;
 * the rest -> `provider_error` with the provider's status.
 * `keepsCode`: clients of the interface read the number that the provider sent as `code`.
 */
export function rejectionError(
  provider: Provider,
  rejection: ProviderRejection,
  shown: ProviderRejection | null,
  { 'content-type': _, ...headers }: Readonly<Record<string, string>>,
  keepsCode = false,
): CodedError {
  const shownCode = keepsCode && /^\d{3}$/.test(shown?.code ?? '') ? Number(shown?.code) : undefined;
  const fields = {
    // Providers quote a rejected key, and the caller may not see the one stored on a project.
    ...(rejection.status === 401 ? {} : shown?.details),
    provider: provider.name,
    provider_status: rejection.status,
    ...(shown?.code == null ? {} : { provider_code: shown.code }),
    ...(shown?.type == null ? {} : { provider_type: shown.type }),
    ...(shown?.param == null ? {} : { param: shown.param }),
  };
  const withMessage = (sentence: string): string =>
    shown?.message ? `${sentence}: ${shown.message}` : `${sentence}.`;
  if (isCredentialRejection(rejection)) {
    const hint = 'Check the one sent as "Authorization: Bearer", or the one stored on the project';
    const sentence = `${provider.label} rejected the provider key`;
    const message = rejection.status === 401 ? `${sentence}. ${hint}.` : withMessage(sentence);
    return new CodedError('invalid_api_key', { message, fields, headers, shownCode });
  }
  if (rejection.status === 429 && !isUsedUp(rejection)) {
    const message = withMessage(`${provider.label} rejected the request because of its rate limit`);
    const type = 'rate_limit_error';
    return new CodedError('rate_limit_exceeded', { type, message, fields, headers, shownCode });
  }
  const verb = rejection.status >= 500 ? 'failed' : 'rejected the request';
  const message = withMessage(`${provider.label} ${verb} (${rejection.status})`);
  return new CodedError('provider_error', { status: rejection.status, message, fields, headers, shownCode });
}

const USED_UP = /^(insufficient_quota|usage_limit_reached|usage_not_included)$/;
/** Google's names of limits that a client cannot wait for. */
const USED_UP_LIMIT = /"quotaId":"[^"]*(?:PerDay|Daily)|"reason":"(?:QUOTA_EXHAUSTED|INSUFFICIENT_\w+)"/;

function isUsedUp({ code, type, details }: ProviderRejection): boolean {
  return [code, type].some((name) => USED_UP.test(name ?? '')) || USED_UP_LIMIT.test(JSON.stringify(details));
}

const CREDENTIAL_NAMES =
  /^(authentication_error|invalid_authentication|invalid_api_key|permission_error|account_deactivated)$/;

/** True for every 401; else only if the provider names the key: a 403 can also concern region, model or policy. */
function isCredentialRejection(rejection: ProviderRejection): boolean {
  if (rejection.status === 401) return true;
  // Gemini's response to an invalid key.
  if (rejection.status === 400) return /^api key (?:not valid|expired)/i.test(rejection.message);
  if (rejection.status !== 403) return false;
  return (
    CREDENTIAL_NAMES.test(rejection.code ?? '') ||
    CREDENTIAL_NAMES.test(rejection.type ?? '') ||
    /\b((?:api|access)[ _-]?key|credential|authenticat)/i.test(rejection.message)
  );
}

/** Google sends a list where the client expects one. */
function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return asObject(Array.isArray(value) ? value[0] : value);
  } catch {
    return null;
  }
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** A name cannot contain a sentence, but it can contain a key or a person's number. */
function readName(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[\w.[\]-]{1,64}$/.test(text) ? text : null;
}
