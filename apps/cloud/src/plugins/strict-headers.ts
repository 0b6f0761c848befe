import type { IncomingMessage } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';

/** Headers that must not be repeated: two parsers could each use a different one (RFC 9110, section 5.3). */
const ONCE = new Set([
  'host',
  'content-type',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'idempotency-key',
]);

/** A host name or address, an IPv6 address in brackets, and a port (RFC 3986, section 3.2.2, without userinfo). */
const HOST = /^(?:(?:[\w.~!$&'()*+,;=-]|%(?!00)[\da-f]{2})+|\[[\da-f:.]+\])(?::(?<port>\d{0,5}))?$/i;
const MAX_PORT = 65_535;

const NUL_IN_QUERY = 'The query string must not contain a NUL character (%00).';

/** Rejects requests that two parsers could interpret differently. */
export function registerStrictHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // No id contains a NUL character, and PostgreSQL does not accept one.
    if (request.raw.url?.split('?', 1)[0]?.includes('%00')) return done(new CodedError('not_found'));
    const message = repeatedHeader(request.raw) ?? headerProblem(request.raw);
    done(message === undefined ? undefined : new CodedError('invalid_request', { message }));
  });
}

function isHost(host: string): boolean {
  const match = HOST.exec(host);
  return match !== null && Number(match.groups?.['port'] ?? 0) <= MAX_PORT;
}

function repeatedHeader({ rawHeaders: raw, headers }: IncomingMessage): string | undefined {
  if (raw.length === 2 * Object.keys(headers).length) return undefined;
  let seen: Set<string> | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    if (!ONCE.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name)) return `The header ${name} was sent more than once.`;
    seen.add(name);
  }
  return undefined;
}

function headerProblem(request: IncomingMessage): string | undefined {
  const { headers, httpVersionMajor, httpVersionMinor } = request;
  if (httpVersionMajor === 0) return 'Send HTTP/1.1.';
  const target = request.url ?? '';
  if (!target.startsWith('/') || target.includes('#')) {
    return 'The path must start with "/" and must not contain "#".';
  }
  if (target.includes('%00')) return NUL_IN_QUERY;
  const { host } = headers;
  if (host === undefined ? httpVersionMinor > 0 : !isHost(host)) {
    return 'The Host header is missing or contains no host name.';
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    return 'Only "chunked" is accepted as Transfer-Encoding.';
  }
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return 'Only "100-continue" is accepted as Expect.';
  }
  return undefined;
}
