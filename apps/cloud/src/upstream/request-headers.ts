import type { IncomingHttpHeaders } from 'node:http';
import { CodedError, KEY_PREFIX } from '@csg/shared/contract';
import { AWS_SIGNATURE } from '@csg/shared/providers';
import type { Provider } from './provider.ts';

/**
 * Returns the headers of a provider's request as a flat list of names and values: the client's by allow-list, the
 * provider's defaults, and the credential as the provider requires it. Throws CodedError `invalid_api_key` for a
 * credential that cannot be sent or is one of ours.
 */
export function buildRequestHeaders(
  provider: Provider,
  endpoint: string,
  client: IncomingHttpHeaders,
  credential: string,
  hasBody: boolean,
  traceHeaders?: Readonly<Record<string, string>>,
): string[] {
  // Identity: the scanned bytes are then the emitted ones, without decompression. outbound/decode-body.ts handles
  // providers that compress their response anyway.
  const headers = ['accept-encoding', 'identity'];
  for (const name in client) {
    const value = client[name];
    if (typeof value === 'string' && provider.passesHeader(name)) headers.push(name, value);
  }
  if (traceHeaders !== undefined) headers.push(...Object.entries(traceHeaders).flat());
  for (const [name, value] of provider.defaultHeaders) {
    if (client[name] === undefined) headers.push(name, value);
  }
  if (hasBody && client['content-type'] === undefined) headers.push('content-type', 'application/json');
  checkCredential(provider, credential);
  const carrier = provider.carrierOf(endpoint, credential);
  if (carrier === 'bearer') headers.push('authorization', `Bearer ${credential}`);
  // A signing credential is not sent itself; the signature covers the whole request.
  else if (carrier !== AWS_SIGNATURE) headers.push(carrier, credential);
  return headers;
}

function checkCredential(provider: Provider, credential: string): void {
  if (credential.startsWith(KEY_PREFIX)) {
    throw new CodedError('invalid_api_key', {
      message: `An API key of this service was sent as the credential for ${provider.label}. It was not forwarded.`,
      fields: { provider: provider.name },
    });
  }
  if (!/^[\x21-\x7e]+$/.test(credential)) {
    throw new CodedError('invalid_api_key', {
      message: `The credential for ${provider.label} contains characters that are not allowed in a key.`,
      fields: { provider: provider.name },
    });
  }
}
