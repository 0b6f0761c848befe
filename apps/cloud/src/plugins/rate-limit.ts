import { Duplex } from 'node:stream';
import { CodedError, RATE_LIMIT_HEADERS } from '@csg/shared/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../flows/authenticate-key.ts';
import type { MinuteLimiter, MinuteWindow } from '../limits/minute-limiter.ts';
import { networkOf } from '../limits/network-of.ts';

export interface RateLimitDeps {
  readonly limiter: MinuteLimiter;
  readonly now: () => number;
}

/** `/version` must always return 200, and a health check must not fail because of its own frequency. */
const NOT_COUNTED: ReadonlySet<string | undefined> = new Set(['/', '/version', '/health']);

/** Per-address limit at the edge, before any lookup. 0 disables it. */
export function registerEdgeLimit(app: FastifyInstance, deps: RateLimitDeps, limitPerMinute: number): void {
  if (limitPerMinute === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (NOT_COUNTED.has(request.routeOptions.url) || isOwnCall(request)) return done();
    settle(deps.limiter.take(`ip:${networkOf(request.ip)}`, limitPerMinute), reply, deps.now, done);
  });
}

/** Limits an account over all keys of all its organizations. Devices are neither counted nor rejected. */
export function registerAccountLimit(app: FastifyInstance, deps: RateLimitDeps): void {
  app.addHook('onRequest', (request, reply, done) => {
    const principal = request.principal;
    if (principal === null || isOwnCall(request)) return done();
    const id = `account:${principal.account.id}`;
    const limit = principal.account.plan.perMinute;
    const window = principal.deviceId === null ? deps.limiter.take(id, limit) : deps.limiter.peek(id, limit);
    settle(window, reply, deps.now, principal.deviceId === null ? done : () => done());
  });
}

/** An internal call of a route has no connection: the request that caused it was counted already. */
function isOwnCall({ raw }: FastifyRequest): boolean {
  return !(raw.socket instanceof Duplex);
}

/** Counts another request of the account on an existing connection. Rejects with rate_limit_exceeded. */
export async function takeOfAccount(
  { limiter, clock }: { readonly limiter: MinuteLimiter; readonly clock: { readonly now: () => number } },
  { account }: Pick<Principal, 'account'>,
): Promise<void> {
  const counted = await limiter.take(`account:${account.id}`, account.plan.perMinute);
  if (!counted.allowed) throw rateLimitError(counted, clock.now());
}

function settle(
  window: MinuteWindow | Promise<MinuteWindow>,
  reply: FastifyReply,
  now: () => number,
  done: (error?: Error) => void,
): void {
  const finish = (counted: MinuteWindow) => {
    writeWindow(reply, counted);
    done(counted.allowed ? undefined : rateLimitError(counted, now()));
  };
  if (window instanceof Promise) window.then(finish, done);
  else finish(window);
}

function writeWindow(reply: FastifyReply, window: MinuteWindow): void {
  reply.header(RATE_LIMIT_HEADERS.limit, window.limit);
  reply.header(RATE_LIMIT_HEADERS.remaining, window.remaining);
  reply.header(RATE_LIMIT_HEADERS.reset, window.resetAtS);
}

function rateLimitError(window: MinuteWindow, nowMs: number): CodedError {
  const retryAfter = Math.max(1, Math.ceil(window.resetAtS - nowMs / 1000));
  return new CodedError('rate_limit_exceeded', {
    fields: { retry_after: retryAfter },
    headers: { 'Retry-After': String(retryAfter) },
  });
}
