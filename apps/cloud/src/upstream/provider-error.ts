import { CodedError } from '@csg/shared/contract';
import { errors } from 'undici';
import { AddressDenied } from '../outbound/address-denied.ts';
import { ProxyUnavailableError } from './outbound-proxy.ts';

/** Why no complete, readable response of a provider arrived -> our status and message. */
export const PROVIDER_ERRORS = {
  unresolvable: { status: 502, text: 'could not be found (name resolution failed)' },
  refused: { status: 502, text: 'refused the connection' },
  unreachable: { status: 502, text: 'could not be reached' },
  proxy: { status: 502, text: 'could not be reached through the outbound proxy' },
  tls: { status: 502, text: 'could not be trusted (TLS failed)' },
  reset: { status: 502, text: 'closed the connection before it responded' },
  truncated: { status: 502, text: 'sent only a part of its response' },
  not_json: { status: 502, text: 'sent a response that is not JSON' },
  malformed_stream: { status: 502, text: 'sent a stream that cannot be read' },
  bad_encoding: { status: 502, text: 'sent a response in an encoding that cannot be read' },
  bad_response: { status: 502, text: 'sent a response that is not HTTP' },
  redirected: { status: 502, text: 'sent a redirect, which is not followed' },
  too_large: { status: 502, text: 'sent a response that is too large to be scanned' },
  address_not_allowed: { status: 502, text: 'has an address that is not allowed' },
  busy: { status: 503, text: 'cannot be called right now: too many responses are in progress' },
  timeout: { status: 504, text: 'did not respond in time' },
} as const satisfies Record<string, { status: number; text: string }>;
export type ProviderErrorReason = keyof typeof PROVIDER_ERRORS;

/**
 * Creates the CodedError `provider_error` with fields `provider` and `reason`, the only error for provider failures.
 * Names the provider, never its URL or a credential. Callers also use it for `not_json`, `malformed_stream` and
 * `truncated`, which are only detected when the response is read.
 */
export function providerError(
  provider: { readonly name: string; readonly label: string },
  reason: ProviderErrorReason,
  cause?: unknown,
): CodedError {
  const row = PROVIDER_ERRORS[reason];
  return new CodedError('provider_error', {
    status: row.status,
    message: `${provider.label} ${row.text}.`,
    fields: { provider: provider.name, reason },
    ...(cause === undefined ? {} : { cause }),
  });
}

const BY_CODE: Readonly<Record<string, ProviderErrorReason>> = {
  ENOTFOUND: 'unresolvable',
  EAI_AGAIN: 'unresolvable',
  ENODATA: 'unresolvable',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'bad_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'truncated',
  EPROTO: 'tls',
  // Occurs for tunnels only: the calls that we abort have ended before.
  UND_ERR_ABORTED: 'proxy',
  UND_ERR_PRX_CONN: 'proxy',
  EMFILE: 'busy',
  ENFILE: 'busy',
};
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED']);

/** Maps socket, TLS and parser errors to a reason. `hasResponded`: the response headers had arrived. */
export function readProviderErrorReason(error: unknown, hasResponded: boolean): ProviderErrorReason {
  if (error instanceof AddressDenied)
    return error.reason === 'unresolvable' ? 'unresolvable' : 'address_not_allowed';
  if (error instanceof ProxyUnavailableError) return 'proxy';
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (error instanceof errors.HTTPParserError && code !== 'HPE_INVALID_EOF_STATE') return 'bad_response';
  if (hasResponded) return 'truncated';
  if (CLOSED.has(code)) return 'reset';
  if (/^ERR_(TLS|SSL)_|CERT|SIGNATURE|ISSUER|CRL|HOSTNAME_MISMATCH/.test(code)) return 'tls';
  return 'unreachable';
}
