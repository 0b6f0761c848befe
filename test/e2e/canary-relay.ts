import assert from 'node:assert/strict';
import { AWS_SIGNATURE, formatOf } from '@csg/shared/providers';
import { onTheWire } from '../support/amazon-stream.ts';
import { type Place, plain } from '../support/canary-template.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { type Samples, spellFrames } from '../support/provider-samples.ts';
import type { ProviderRequest } from '../support/test-provider.ts';

/** Returns whether a finding's path is the place or lies within it. */
export function pointsAt(path: string, place: Place): boolean {
  if (!path.startsWith(place.pointer)) return false;
  const rest = path.slice(place.pointer.length);
  return rest === '' || place.pointer.endsWith('/') || /^[/~]/.test(rest);
}

/** Asserts that the request went to the provider's own path, with the credential where the provider expects it. */
export function assertForwardedTo({ endpoint, provider }: Samples, { url, headers }: ProviderRequest): void {
  assert.equal(
    new URL(url, 'http://x').pathname,
    endpoint.path.replace('{version}', 'v1').replace('{model}', 'model-test'),
  );
  const carrier = endpoint.isBearer ? 'bearer' : (provider.credential?.carrier ?? 'bearer');
  // A value that is not an access key is one of Bedrock's API keys.
  if (carrier === 'bearer' || carrier === AWS_SIGNATURE)
    assert.equal(headers.authorization, `Bearer ${PROVIDER_KEY}`);
  else assert.equal(headers[carrier], PROVIDER_KEY);
}

/** The sample response of the provider, whole or streamed. */
export function usualResponse({ endpoint, response, frames }: Samples, stream: boolean) {
  return stream
    ? {
        headers: { 'content-type': formatOf(endpoint).streamType },
        body: [onTheWire(endpoint, spellFrames(endpoint, frames))],
      }
    : { body: JSON.stringify(plain(response)) };
}
