import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CodedError,
  OUTPUT_HEADER,
  UNSCANNED_HEADER,
  VERDICT_HEADERS,
  WITHHELD_HEADER,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_STORED_BYTES } from '../storage/model/idempotency.ts';
import type { IdempotencyLease, Repositories, Storage, StoredResponse } from '../storage/storage.ts';

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: IdempotencyLease | null;
    /** The stream failed after its headers were sent, so it is not stored. */
    hasStreamFailed: boolean;
  }
}

const METHODS = new Set(['POST', 'PUT', 'PATCH']);
/** Long enough for a running request to renew it, short enough to free the key soon after a crash. */
const LEASE_MS = 30_000;

/** Headers that are stored and replayed with a response. */
const STORED_HEADERS: readonly string[] = [
  'content-type',
  'request-id',
  'x-provider-request-id',
  'x-error-code',
  ...[UNSCANNED_HEADER, WITHHELD_HEADER, OUTPUT_HEADER, ...Object.values(VERDICT_HEADERS)].map((name) =>
    name.toLowerCase(),
  ),
];

/**
 * Replays the first response to a repeated POST, PUT or PATCH with the same `Idempotency-Key`, for 24 hours and across
 * restarts. Scoped to the API key. 5xx and 429 are not stored.
 */
export function registerIdempotency(
  app: FastifyInstance,
  deps: { readonly storage: Pick<Storage, 'idempotency'>; readonly now: () => number },
): void {
  app.decorateRequest('idempotency', null);
  app.decorateRequest('hasStreamFailed', false);

  // Not async: most requests have no key and pass without waiting for another turn.
  app.addHook('preHandler', (request, reply, done) => {
    const key = request.headers['idempotency-key'];
    const { principal } = request;
    if (key === undefined || principal === null || !METHODS.has(request.method)) return done();
    claim(request, reply, principal, key).then((isReplayed) => {
      if (!isReplayed) done();
    }, done);
  });

  /** Resolves to true if the response to the first such request was replayed. */
  async function claim(
    request: FastifyRequest,
    reply: FastifyReply,
    { organizationId, keyId }: NonNullable<FastifyRequest['principal']>,
    key: string | string[],
  ): Promise<boolean> {
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new CodedError('invalid_request', {
        message: 'Idempotency-Key takes 1 to 255 visible ASCII characters.',
      });
    }
    const begun = await deps.storage.idempotency.begin({
      organizationId,
      keyId,
      key,
      fingerprint: fingerprintOf(request),
      leaseMs: LEASE_MS,
      nowMs: deps.now(),
    });
    switch (begun.state) {
      case 'started':
        request.idempotency = begun.lease;
        return false;
      case 'done':
        replay(reply, begun.response);
        return true;
      case 'not_replayable':
        throw new CodedError('idempotency_not_replayable');
      case 'mismatch':
        throw new CodedError('idempotency_key_reused');
      case 'running':
        throw inProgress();
    }
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const lease = request.idempotency;
    if (lease === null) return done(null, payload);
    request.idempotency = null;
    if (payload instanceof Readable) return done(null, storedAtEnd(lease, request, reply, payload));
    settle(lease, request, reply, payload).then(() => done(null, payload), done);
  });

  /** Passes the bytes on and stores them before the stream ends. */
  function storedAtEnd(
    lease: IdempotencyLease,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: Readable,
  ): Readable {
    async function* stored(): AsyncGenerator<Buffer> {
      let isWhole = false;
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      try {
        for await (const chunk of payload) {
          const bytes = Buffer.from(chunk);
          // The length reveals a response that is too long to be stored.
          if (sizeBytes <= MAX_STORED_BYTES) chunks.push(bytes);
          sizeBytes += bytes.length;
          yield bytes;
        }
        isWhole = !request.hasStreamFailed;
      } finally {
        if (isWhole) await settle(lease, request, reply, Buffer.concat(chunks));
        else await lease.abandon();
      }
    }
    return Readable.from(stored(), { objectMode: false });
  }

  async function settle(
    lease: IdempotencyLease,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<void> {
    // Zero retention forbids storing texts, so a repeated request runs again.
    const isTransient =
      reply.statusCode >= 500 || reply.statusCode === 429 || request.principal?.zeroRetention;
    if (isTransient) return lease.abandon();
    await lease.finish({
      status: reply.statusCode,
      headers: storedHeaders(reply),
      body:
        typeof payload === 'string'
          ? Buffer.from(payload)
          : Buffer.isBuffer(payload)
            ? payload
            : Buffer.alloc(0),
    });
  }
}

/**
 * Wraps the dependencies of a request whose work is one transaction with a result that determines the response: the
 * response is stored in the same transaction, so that nothing is done twice after a crash.
 */
export function withStoredResponse<D extends { readonly storage: Pick<Storage, 'transaction'> }, T>(
  deps: D,
  request: FastifyRequest,
  toResponse: (result: T) => object = asItIs,
  status: 200 | 201 = 200,
): D {
  const lease = request.idempotency;
  if (lease === null || request.principal?.zeroRetention) return deps;
  const { storage } = deps;
  const transaction = (work: (repositories: Repositories) => Promise<T>): Promise<T> =>
    storage.transaction(async (repositories) => {
      const result = await work(repositories);
      const isOurs = await repositories.idempotency.store(lease.name, {
        status,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: Buffer.from(JSON.stringify(toResponse(result))),
      });
      // This process was suspended for so long that another request took over the key and the work.
      if (!isOurs) throw inProgress();
      return result;
    });
  return { ...deps, storage: { ...storage, transaction } };
}

function asItIs<T>(result: T): object {
  return result as object;
}

function inProgress(): CodedError {
  return new CodedError('idempotency_in_progress', {
    fields: { retry_after: 1 },
    headers: { 'Retry-After': '1' },
  });
}

function replay(reply: FastifyReply, response: StoredResponse): void {
  reply
    .code(response.status)
    .headers(response.headers as Record<string, string>)
    .header('X-Idempotency-Replayed', 'true')
    .send(response.body.length === 0 ? undefined : response.body);
}

function storedHeaders(reply: FastifyReply): Record<string, string> {
  const stored: Record<string, string> = {};
  for (const name of STORED_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) stored[name] = String(value);
  }
  return stored;
}

/** Hashes method, canonical URL and body. The `/proxy` alias is the same URL. */
function fingerprintOf(request: FastifyRequest): string {
  const address = request.url.replace('/api/v1/proxy/', '/api/v1/');
  return createHash('sha256')
    .update(`${request.method} ${address}\n`)
    .update(request.bytes ?? '')
    .digest('base64url');
}
