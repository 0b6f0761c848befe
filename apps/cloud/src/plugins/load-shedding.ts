import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { InFlightLimiter, InFlightRequest } from '../limits/in-flight-limiter.ts';
import type { Metrics } from './metrics.ts';
import { ownerOf } from './owner-of.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's share of the work, on heavy routes. */
    inFlight: InFlightRequest | null;
    /** Throws if the route is heavy and there is no capacity left. */
    requireRoom?: () => void;
  }
}

export interface LoadSheddingDeps {
  readonly work: InFlightLimiter;
  readonly metrics: Pick<Metrics, 'shed'>;
}

const RETRY_AFTER_S = 1;
/** Shared, because under overload there is no time to create others. */
const OVERLOADED = new CodedError('service_unavailable', {
  message: 'The service is overloaded. Send this request again after the time in Retry-After.',
  headers: { 'Retry-After': String(RETRY_AFTER_S) },
  fields: { retry_after: RETRY_AFTER_S },
});

/**
 * Under overload, rejects requests to heavy routes with Retry-After: before their body is read, before they are
 * counted, and again when the body has arrived. An organization, or a device of one, with little work in flight is
 * still served. Runs after authentication, which identifies the owner of the request.
 */
export function registerLoadShedding(app: FastifyInstance, { work, metrics }: LoadSheddingDeps): void {
  app.decorateRequest('inFlight', null);
  function overloadError(request: FastifyRequest): CodedError | undefined {
    const wasOverloaded = work.isOverloaded();
    if (work.hasRoom(ownerOf(request))) return undefined;
    if (!wasOverloaded) request.log.warn(work.read(), 'overloaded: requests receive 503 with Retry-After');
    metrics.shed(request.routeOptions.url ?? 'unknown');
    return OVERLOADED;
  }

  // Shared: with a closure of its own each request outlives young collections (docs/benchmarks/where-the-speed-went.md).
  app.decorateRequest('requireRoom', function requireRoom(this: FastifyRequest) {
    const error = isHeavy(this) ? overloadError(this) : undefined;
    if (error !== undefined) throw error;
  });
  app.addHook('onRequest', (request, _reply, done) => {
    done(isHeavy(request) ? overloadError(request) : undefined);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (!isHeavy(request)) return done();
    const error = overloadError(request);
    if (error !== undefined) return done(error);
    work.take(ownerOf(request), request.bytes?.length ?? 0, (inFlight) => {
      request.inFlight = inFlight;
      done();
    });
  });
  // Ends before the response is written: a client that reads slowly causes no work.
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.inFlight?.end();
    done(null, payload);
  });
}

function isHeavy({ routeOptions }: FastifyRequest): boolean {
  const { access } = routeOptions.config;
  return (access?.auth === 'key' || access?.auth === 'session') && access.isHeavy;
}

/**
 * During shutdown, rejects requests on open connections with Retry-After and closes the connection. Liveness and
 * readiness still respond: readiness tells a load balancer about the shutdown.
 */
export function registerDrain(app: FastifyInstance, isDraining: () => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isDraining() || request.url.startsWith('/health')) return done();
    done(
      new CodedError('service_unavailable', {
        message: 'The service is shutting down. Send this request again.',
        headers: { Connection: 'close', 'Retry-After': '1' },
        fields: { retry_after: 1 },
      }),
    );
  });
}
