import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { InFlightLimiter, InFlightRequest } from '../limits/in-flight-limiter.ts';
import type { Metrics } from './metrics.ts';
import { ownerOf } from './owner-of.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its part of the work, on heavy routes. */
    inFlight: InFlightRequest | null;
    /** On heavy routes: throws where there is no room for it any more. */
    requireRoom: (() => void) | null;
  }
}

export interface LoadSheddingDeps {
  readonly work: InFlightLimiter;
  readonly metrics: Pick<Metrics, 'shed'>;
}

const RETRY_AFTER_S = 1;
/** One for all: when it is needed there is no time to make others. */
const OVERLOADED = new CodedError('service_unavailable', {
  message: 'The service has more to do than it can do soon. Send this request again.',
  headers: { 'Retry-After': String(RETRY_AFTER_S) },
  fields: { retry_after: RETRY_AFTER_S },
});

/**
 * If more is in hand than can be done soon, callers of heavy routes are told to come again: before their body is read,
 * before they are counted, and once more when it is here. An organization, or a device of one, that has little in hand
 * itself is served all the same. Comes after authentication, which tells whose request it is.
 */
export function registerLoadShedding(app: FastifyInstance, { work, metrics }: LoadSheddingDeps): void {
  app.decorateRequest('inFlight', null);
  app.decorateRequest('requireRoom', null);

  function overloadError(request: FastifyRequest): CodedError | undefined {
    const wasOverloaded = work.isOverloaded();
    if (work.hasRoom(ownerOf(request))) return undefined;
    if (!wasOverloaded) request.log.warn(work.read(), 'overloaded: requests receive 503 with Retry-After');
    metrics.shed(request.routeOptions.url ?? 'unknown');
    return OVERLOADED;
  }

  app.addHook('onRequest', (request, _reply, done) => {
    if (!isHeavy(request)) return done();
    request.requireRoom = () => {
      const error = overloadError(request);
      if (error !== undefined) throw error;
    };
    done(overloadError(request));
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
  // Before the answer is written: who reads it slowly is no work.
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
 * While the service ends, requests that still come over open connections are told to come again elsewhere.
 * Liveness and readiness go on answering: readiness is how a load balancer learns of it.
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
