import assert from 'node:assert/strict';
import type { GuardRequest } from '@csg/shared/contract';
import { AWS_SIGNATURE, formatOf, readGuardRequest } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
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

export const modesOf = ({ endpoint: { streams } }: Samples): boolean[] =>
  streams === 'always' ? [true] : streams === 'never' ? [false] : [false, true];
export const asStream = ({ endpoint }: Samples, body: object): object => ({
  ...body,
  ...(endpoint.streams === undefined ? { stream: true } : {}),
});
export const queryOf = ({ endpoint: { streams } }: Samples): string =>
  typeof streams === 'object' ? `?${streams.query}=${streams.value}` : '';

/** The sample response of the provider, whole or streamed. */
export function usualResponse({ endpoint, response, frames }: Samples, stream: boolean) {
  return stream
    ? {
        headers: { 'content-type': formatOf(endpoint).streamType },
        body: [onTheWire(endpoint, spellFrames(endpoint, frames))],
      }
    : { body: JSON.stringify(plain(response)) };
}

/** The roles of the texts of a request that have these words. */
export function rolesOf({ endpoint }: Samples, sent: string, words: string): string[] {
  const { slots } = formatOf(endpoint).readRequest(JSON.parse(sent), () => sent);
  return slots.filter(({ text }) => text.includes(words)).map(({ role }) => role);
}

const hasSigned = (slots: readonly TextSlot[], canary: string | number): boolean =>
  slots.some(({ signedBlock, text }) => signedBlock !== undefined && text.includes(String(canary)));

/** Whether the place is in a block that its provider signed. */
export function isSigned({ endpoint }: Samples, place: Place, canary: string | number): boolean {
  const body = place.put(canary);
  return hasSigned(formatOf(endpoint).readRequest(body, () => JSON.stringify(body)).slots, canary);
}

export function isSignedInGuard(place: Place, canary: string): boolean {
  return hasSigned(readGuardRequest(place.put(canary) as GuardRequest).slots, canary);
}

/** What is found in such a block refuses the request, because nothing can be masked there. */
export async function assertRefused(response: Response): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, 403, text);
  assert.match(text, /"code":"request_blocked"/);
  assert.match(text, /Remove the block /);
}
