import type { FastifyRequest } from 'fastify';
import type { WorkOwner } from '../fairness/fair-queue.ts';

/** On whose behalf a request is served. People have no principal; what they ask for is their organization's. */
export function ownerOf({ principal, signedIn, directory }: FastifyRequest): WorkOwner {
  if (principal) return principal;
  const organizationId = signedIn?.membership?.organizationId ?? directory?.organizationId ?? '';
  return { organizationId, deviceId: null };
}
