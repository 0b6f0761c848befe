import { CodedError } from '@csg/shared/contract';

/** Why a vendor's whole, readable answer did not arrive -> the status we answer with and what we say. */
export const PROVIDER_FAULTS = {
  unresolvable: { status: 502, says: 'could not be found (name resolution failed)' },
  refused: { status: 502, says: 'refused the connection' },
  unreachable: { status: 502, says: 'could not be reached' },
  tls: { status: 502, says: 'could not be trusted (TLS failed)' },
  reset: { status: 502, says: 'closed the connection before it answered' },
  truncated: { status: 502, says: 'sent only a part of its answer' },
  not_json: { status: 502, says: 'sent an answer that is not JSON' },
  malformed_stream: { status: 502, says: 'sent a stream that cannot be read' },
  bad_encoding: { status: 502, says: 'sent an answer in an encoding that cannot be read' },
  bad_response: { status: 502, says: 'sent an answer that is not HTTP' },
  redirected: { status: 502, says: 'sent a redirect, which is not followed' },
  too_large: { status: 502, says: 'sent an answer that is too large to be scanned' },
  address_not_allowed: { status: 502, says: 'has an address that is not allowed' },
  busy: { status: 503, says: 'cannot be asked right now, because too many answers are being scanned' },
  timeout: { status: 504, says: 'did not answer in time' },
} as const satisfies Record<string, { status: number; says: string }>;
export type ProviderFault = keyof typeof PROVIDER_FAULTS;

/**
 * The one way to say that a vendor failed: CodedError `provider_error` with fields `provider` and `reason`.
 * Names the vendor, never its address or a credential. Callers use it too, for `not_json`, `malformed_stream`, `truncated`.
 */
export function providerFault(
  provider: { name: string; label: string },
  reason: ProviderFault,
  cause?: unknown,
): CodedError {
  const row = PROVIDER_FAULTS[reason];
  return new CodedError('provider_error', {
    status: row.status,
    message: `${provider.label} ${row.says}.`,
    fields: { provider: provider.name, reason },
    ...(cause === undefined ? {} : { cause }),
  });
}
