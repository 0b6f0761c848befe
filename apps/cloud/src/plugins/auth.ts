import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator, Principal } from '../flows/authenticate-key.ts';
import { serviceKeyIn } from '../flows/service-key.ts';
import type { FailureLockout } from '../limits/failure-lockout.ts';
import { networkOf } from '../limits/network-of.ts';
import type { RouteAccess } from './route-access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the auth plugin on every route that requires a key. */
    principal: Principal | null;
  }
}

export interface AuthDeps {
  readonly authenticator: Authenticator;
  readonly lockout: FailureLockout;
}

/** Authenticates the caller. Does not look at content. */
export function registerAuth(app: FastifyInstance, deps: AuthDeps): void {
  app.decorateRequest('principal', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const access = request.routeOptions.config.access;
    if (access?.auth !== 'key') return done();
    const reject = (error: unknown) => done(errorFor(error, request, deps.lockout, access.errors));
    const admit = (principal: Principal) => {
      if (principal.allowedAddresses?.has(request.ip) === false) {
        return done(new CodedError('ip_not_allowed'));
      }
      request.principal = principal;
      done();
    };
    try {
      const principal = deps.authenticator.authenticate(serviceKeyIn(request.headers));
      if (principal instanceof Promise) principal.then(admit, reject);
      else admit(principal);
    } catch (error) {
      reject(error);
    }
  });
}

/** Checks that the caller may use the route. Runs after the account's limit, so that rejected calls count as well. */
export function registerScope(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const access = request.routeOptions.config.access;
    if (access?.auth !== 'key') return done();
    done(scopeError(principalOf(request), access));
  });
}

/** Returns the principal on a route that requires a key. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null)
    throw new Error(`${request.url} has no principal: its route requires no key`);
  return request.principal;
}

function scopeError(
  principal: Principal,
  { scope, orScopes = [], device }: Extract<RouteAccess, { auth: 'key' }>,
): CodedError | undefined {
  const { permissions } = principal;
  const allowed =
    principal.deviceId === null
      ? device !== 'only' &&
        (permissions.length === 0 || [scope, ...orScopes].some((one) => permissions.includes(one)))
      : device !== false;
  if (allowed) return undefined;
  return new CodedError('insufficient_scope', {
    fields: { required_scope: device === 'only' ? 'device' : scope },
  });
}

/**
 * Returns the error of a failed authentication in the format of its endpoint. A network that fails too
 * often gets a lockout error instead; a valid key from the same network still works, so one broken client
 * does not lock out an office.
 */
function errorFor(
  error: unknown,
  request: FastifyRequest,
  lockout: FailureLockout,
  errors: 'general' | 'endpoint',
): Error {
  if (!(error instanceof CodedError)) return error as Error;
  if (error.status === 401) {
    const network = networkOf(request.ip);
    const remainingS = lockout.lockoutS(network);
    // Only unknown keys count: a client with a disabled or missing key is not guessing.
    const lockoutS =
      remainingS > 0 ? remainingS : error.code === 'invalid_api_key' ? lockout.fail(network) : 0;
    if (remainingS > 0) {
      return new CodedError('bot_detected', {
        fields: { retry_after: lockoutS },
        headers: { 'Retry-After': String(lockoutS) },
      });
    }
  }
  const renamed = error.code === 'missing_api_key' || error.code === 'invalid_api_key';
  return errors === 'endpoint' && renamed
    ? new CodedError('unauthorized', { message: error.message, fields: { reason: error.code } })
    : error;
}
