import type { FastifyReply } from 'fastify';

/** Named by the interface specification. */
export const SESSION_COOKIE = 'session';

export interface SessionCookie {
  give(reply: FastifyReply, token: string, lifeMs: number): void;
  drop(reply: FastifyReply): void;
}

/**
 * Unreadable for scripts, never sent from another site's page. `Secure` where people reach the service by https: a
 * browser would not keep it on plain loopback http.
 */
export function createSessionCookie(options: { readonly https: boolean }): SessionCookie {
  const base = { path: '/', httpOnly: true, sameSite: 'strict', secure: options.https } as const;
  return {
    give(reply, token, lifeMs) {
      reply.setCookie(SESSION_COOKIE, token, { ...base, maxAge: Math.max(0, Math.floor(lifeMs / 1000)) });
    },
    drop(reply) {
      reply.clearCookie(SESSION_COOKIE, base);
    },
  };
}
