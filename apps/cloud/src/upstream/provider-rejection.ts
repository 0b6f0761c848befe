import { CodedError } from '@csg/shared/contract';
import type { Provider } from './provider.ts';
import type { UpstreamResponse } from './send.ts';

/** A parsed provider response outside 2xx. Scan its texts before showing them. */
export interface ProviderRejection {
  readonly status: number;
  /** The provider's own text, at most 2,000 characters, empty when there is none. */
  readonly message: string;
  /** The provider's own error names; null unless they look like names. */
  readonly code: string | null;
  readonly type: string | null;
  readonly param: string | null;
}

const MAX_MESSAGE = 2_000;
/** Errors of providers are smaller than this; a page of HTML is not read at all. */
const MAX_ERROR_BODY = 64 * 1024;

/**
 * Reads `{error: {message, type, code, param}}` (OpenAI), `{type: "error", error: {type, message}}` (Anthropic),
 * `{error: "..."}`, `{message}` and `{detail}` (compatible servers). Never throws.
 */
export function readRejection(
  response: Pick<UpstreamResponse, 'status' | 'kind' | 'body'>,
): ProviderRejection {
  const { status } = response;
  const body =
    response.kind === 'json' && response.body.length <= MAX_ERROR_BODY ? parseObject(response.body) : null;
  const inner = asObject(body?.['error']) ?? body;
  const message = [inner?.['message'], body?.['error'], body?.['message'], body?.['detail']].find(
    (text) => typeof text === 'string',
  );
  return {
    status,
    message: ((message as string | undefined) ?? '').slice(0, MAX_MESSAGE).toWellFormed().trim(),
    code: readName(inner?.['code']),
    type: readName(inner?.['type']),
    param: readName(inner?.['param']),
  };
}

/**
 * Returns the rejection in our envelope. `rejection` is what the provider sent, `shown` what the scan left: null
 * withholds its texts. `headers`: provider headers that the client may see; the content type is ours.
 * 401 and rejected credentials -> `invalid_api_key` 401, for a 401 without the provider's text;
 * 429 -> `rate_limit_exceeded`, type `rate_limit_error`, without `retry_after`, except for an exhausted quota: that
 * is a `provider_error`, because clients retry a rate limit;
 * the rest -> `provider_error` with the provider's status.
 */
export function rejectionError(
  provider: Provider,
  rejection: ProviderRejection,
  shown: ProviderRejection | null,
  { 'content-type': _, ...headers }: Readonly<Record<string, string>>,
): CodedError {
  const fields = {
    provider: provider.name,
    provider_status: rejection.status,
    ...(shown?.code == null ? {} : { provider_code: shown.code }),
    ...(shown?.type == null ? {} : { provider_type: shown.type }),
    ...(shown?.param == null ? {} : { param: shown.param }),
  };
  const withMessage = (sentence: string): string =>
    shown?.message ? `${sentence}: ${shown.message}` : `${sentence}.`;
  if (isCredentialRejection(rejection)) {
    // Providers quote a rejected key, and the caller may not see the one stored on a project.
    const hint = 'Check the one sent as "Authorization: Bearer", or the one stored on the project';
    const sentence = `${provider.label} rejected the provider key`;
    const message = rejection.status === 401 ? `${sentence}. ${hint}.` : withMessage(sentence);
    return new CodedError('invalid_api_key', { message, fields, headers });
  }
  if (rejection.status === 429 && ![rejection.code, rejection.type].includes(USED_UP)) {
    const message = withMessage(`${provider.label} rejected the request because of its rate limit`);
    return new CodedError('rate_limit_exceeded', { type: 'rate_limit_error', message, fields, headers });
  }
  const verb = rejection.status >= 500 ? 'failed' : 'rejected the request';
  const message = withMessage(`${provider.label} ${verb} (${rejection.status})`);
  return new CodedError('provider_error', { status: rejection.status, message, fields, headers });
}

const USED_UP = 'insufficient_quota';
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

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(body.toString('utf8')));
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
