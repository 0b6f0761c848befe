import type { FastifyRequest } from 'fastify';
import type { Browser } from '../../flows/people/start-session.ts';

/** Which browser asks, for the list of one's sessions. */
export function browserOf(request: FastifyRequest): Browser {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
