import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../flows/clock.ts';
import type { FailureLockout } from '../limits/failure-lockout.ts';
import { networkOf } from '../limits/network-of.ts';
import type { DirectoryToken, Storage } from '../storage/storage.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route for directories. */
    directory: DirectoryToken | null;
  }
}

export interface DirectoryAuthDeps {
  readonly storage: Pick<Storage, 'directory'>;
  readonly clock: Clock;
  readonly lockout: FailureLockout;
}

/** Authenticates an organization's directory: `Authorization: Bearer <token>` (RFC 6750). */
export function registerDirectoryAuth(app: FastifyInstance, deps: DirectoryAuthDeps): void {
  app.decorateRequest('directory', null);
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.access?.auth !== 'directory') return;
    const lockoutS = deps.lockout.lockoutS(networkOf(request.ip));
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const found =
      token === undefined ? null : await deps.storage.directory.findToken(token, deps.clock.now());
    if (found !== null) {
      request.directory = found;
      return;
    }
    if (lockoutS > 0) throw new CodedError('bot_detected', { headers: { 'Retry-After': String(lockoutS) } });
    if (token !== undefined) deps.lockout.fail(networkOf(request.ip));
    throw new CodedError('unauthorized', {
      message: 'Send a directory token of your organization as "Authorization: Bearer <token>".',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  });
}

/** Returns the directory on a route that requires one. */
export function directoryOf(request: FastifyRequest): DirectoryToken {
  if (request.directory === null) throw new Error(`${request.url} has no directory: its route requires none`);
  return request.directory;
}
