import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { memberOf } from '../../plugins/session.ts';

/** Returns the signed-in person, for flows that also accept the holder of a key. */
export function callerOf(request: FastifyRequest): Caller {
  const { organizationId, userId, account } = memberOf(request);
  return {
    organizationId,
    userId,
    account,
    actor: userId,
    projectId: null,
    deviceId: null,
    keyId: null,
    permissions: [],
  };
}
