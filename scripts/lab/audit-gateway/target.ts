import { AWS_SIGNATURE } from '@csg/shared/providers';
import type { Samples } from '../../../test/support/provider-samples.ts';

/** The gateway under test. */
export interface Target {
  post(samples: Samples, body: unknown, isStream: boolean): Promise<TargetResponse>;
}

export interface TargetResponse {
  readonly status: number;
  readonly body: Buffer;
}

export interface TargetOptions {
  /** The URL before `/v1`. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const PROVIDER_KEY = 'sk-audit-gateway';
/** Together longer than a rate limit of a minute. */
const MAX_WAITS = 3;

export function createTarget({ url, key, headers }: TargetOptions): Target {
  return {
    async post(samples, body, isStream) {
      const request = {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...credentialOf(samples),
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...headers,
        },
        body: JSON.stringify(isStream ? asStream(samples, body) : body),
      };
      const address = url.replace(/\/+$/, '') + pathOf(samples, isStream);
      for (let waits = 0; ; waits++) {
        const response = await fetch(address, request);
        const received = { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
        const seconds = Number(response.headers.get('retry-after'));
        if (response.status !== 429 || !(seconds > 0) || waits === MAX_WAITS) return received;
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      }
    },
  };
}

/** Returns the credential in the header that the provider uses. */
function credentialOf({ endpoint, provider }: Samples): Record<string, string> {
  const carrier = endpoint.isBearer ? 'bearer' : (provider.credential?.carrier ?? 'bearer');
  const version: Record<string, string> =
    provider.name === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
  return carrier === 'bearer' || carrier === AWS_SIGNATURE || carrier === 'x-api-key'
    ? { ...version, authorization: `Bearer ${PROVIDER_KEY}` }
    : { ...version, [carrier]: PROVIDER_KEY };
}

function pathOf({ endpoint: { path, streams } }: Samples, isStream: boolean): string {
  const filled = path
    .replace(/^\/(?:v1|\{version\})/, '')
    .replace('{model}', 'model-test')
    .replaceAll(/\{(\w+)\}/g, '$1-test');
  // Azure's paths replace `/v1`, and have their version in the query.
  if (filled.startsWith('/openai')) return `${filled}?api-version=2024-10-21`;
  const query = isStream && typeof streams === 'object' ? `?${streams.query}=${streams.value}` : '';
  return `/v1${filled}${query}`;
}

function asStream({ endpoint }: Samples, body: unknown): unknown {
  return endpoint.streams === undefined ? { ...(body as object), stream: true } : body;
}
