import type { FastifyRequest } from 'fastify';
import type { WorkOwner } from '../fairness/fair-queue.ts';

/** Returns the owner of a request. People have no principal; their work belongs to their organization. */
export function ownerOf({ principal, signedIn, directory }: FastifyRequest): WorkOwner {
  if (principal) return principal;
  const organizationId = signedIn?.membership?.organizationId ?? directory?.organizationId ?? '';
  return { organizationId, deviceId: null };
}
