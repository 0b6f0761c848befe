import type { FastifyRequest } from 'fastify';
import type { Browser } from '../../flows/accounts/start-session.ts';
import { KNOWN_BROWSER_COOKIE } from '../../plugins/session-cookie.ts';

/** Returns the requesting browser. */
export function browserOf(request: FastifyRequest): Browser {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    knownToken: request.cookies[KNOWN_BROWSER_COOKIE] ?? null,
  };
}
