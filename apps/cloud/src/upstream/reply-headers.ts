import type { Provider } from './provider.ts';
import type { UpstreamResponse } from './send.ts';

/** Forwarded for all providers. Headers named neither here nor in the row are dropped. */
const PASSED = new Set(['content-type', 'retry-after', 'retry-after-ms', 'x-should-retry']);
/** `x-ratelimit-limit-requests` and similar headers are the provider's; the three names without a suffix are ours. */
const PASSED_PREFIXES = ['x-ratelimit-limit-', 'x-ratelimit-remaining-', 'x-ratelimit-reset-'];
/** Names that are ours: the provider's value is returned under another name. */
const RENAMED: Readonly<Record<string, string>> = {
  'x-request-id': 'x-provider-request-id',
  'x-ratelimit-limit': 'x-provider-ratelimit-limit',
  'x-ratelimit-remaining': 'x-provider-ratelimit-remaining',
  'x-ratelimit-reset': 'x-provider-ratelimit-reset',
};
/** Headers that no row can allow. */
const NEVER = new Set([
  ...[
    'set-cookie',
    'set-cookie2',
    'connection',
    'keep-alive',
    'transfer-encoding',
    'trailer',
    'upgrade',
    'te',
  ],
  ...['content-length', 'content-encoding', 'proxy-authenticate', 'www-authenticate', 'location', 'refresh'],
  ...[
    'server',
    'date',
    'alt-svc',
    'strict-transport-security',
    'content-security-policy',
    'vary',
    'link',
    'via',
  ],
]);
const NEVER_PREFIXES = ['x-service-', 'x-idempotency-', 'access-control-', 'cross-origin-'];

const MAX_VALUE = 1_024;

/**
 * Returns the provider headers that a client may see, by lower-case name, for any status: request id, rate limits,
 * Retry-After, content type. Drops values that are repeated, long or not plain ASCII.
 */
export function replyHeaders(
  provider: Provider,
  headers: UpstreamResponse['headers'],
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string' || value.length > MAX_VALUE) continue;
    const shown = RENAMED[name] ?? (passes(provider, name) ? name : null);
    if (shown !== null && /^[\t\x20-\x7e]+$/.test(value)) passed[shown] = value;
  }
  return passed;
}

function passes(provider: Provider, name: string): boolean {
  if (PASSED.has(name) || PASSED_PREFIXES.some((prefix) => name.startsWith(prefix))) return true;
  if (name !== provider.requestIdHeader && !provider.repliesHeader(name)) return false;
  return !NEVER.has(name) && !NEVER_PREFIXES.some((prefix) => name.startsWith(prefix));
}
