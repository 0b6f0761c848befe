import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { CodedError } from '@csg/shared/contract';
import { endpointByName } from '@csg/shared/providers';
import type { Provider } from '../../apps/cloud/src/upstream/provider.ts';
import { createProviders } from '../../apps/cloud/src/upstream/providers.ts';
import type { UpstreamRequest } from '../../apps/cloud/src/upstream/send.ts';

/** A body that any rewriting would change. */
export const ODD_BODY = Buffer.from(
  '{"model":"gpt-x",  "n":9007199254740993, "messages":[{"role":"user","content":"grüße 🌍"}]}',
);

/** OpenAI and Anthropic, both at one address. */
export function providersAt(url: string): { readonly openai: Provider; readonly anthropic: Provider } {
  const [anthropic, openai] = createProviders({ urlOf: () => url });
  return { openai: openai!, anthropic: anthropic! };
}

export function chatRequest(provider: Provider, change: Partial<UpstreamRequest> = {}): UpstreamRequest {
  const headers = { 'content-type': 'application/json' };
  return {
    provider,
    endpoint: endpointByName('openai-chat'),
    headers,
    body: ODD_BODY,
    credential: 'sk-provider',
    ...change,
  };
}

/** Returns the failure as a client would see it; fails the test if there is none. */
export async function failure(promise: Promise<unknown>): Promise<CodedError> {
  const error = await promise.then(
    () => assert.fail('a response came where a failure was expected'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CodedError, `a CodedError was expected, not ${String(error)}`);
  return error;
}

/** Asserts a failure of the provider named OpenAI, with a message without an address. */
export function assertUpstreamError(error: CodedError, reason: string, status: number): void {
  assert.deepEqual(
    { code: error.code, status: error.status, type: error.type, fields: error.fields },
    { code: 'provider_error', status, type: 'provider_error', fields: { provider: 'openai', reason } },
  );
  assert.match(error.message, /^OpenAI [^0-9]+\.$/, 'the message names the provider and no address');
}

export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
