import type { FastifyReply } from 'fastify';

/** Named by the interface specification. */
export const SESSION_COOKIE = 'session';
/** Of a browser with an earlier sign-in. Grants nothing: it only counts wrong passwords separately. */
export const KNOWN_BROWSER_COOKIE = 'known_browser';

/** Of a browser that is on its way to or from an identity provider: what its provider sends back is worth nothing in another. */
export const SSO_BROWSER_COOKIE = 'sso_browser';

export interface SessionCookie {
  give(reply: FastifyReply, token: string, lifeMs: number): void;
  drop(reply: FastifyReply): void;
  giveKnown(reply: FastifyReply, token: string, lifeMs: number): void;
  giveSsoBrowser(reply: FastifyReply, token: string, lifeMs: number): void;
}

/**
 * Unreadable for scripts, never sent from another site's page. `Secure` where people reach the service by https: a
 * browser would not keep it on plain loopback http.
 */
export function createSessionCookie(options: { readonly https: boolean }): SessionCookie {
  const base = { path: '/', httpOnly: true, sameSite: 'strict', secure: options.https } as const;
  const seconds = (ms: number) => Math.max(0, Math.floor(ms / 1000));
  return {
    give(reply, token, lifeMs) {
      reply.setCookie(SESSION_COOKIE, token, { ...base, maxAge: seconds(lifeMs) });
    },
    drop(reply) {
      reply.clearCookie(SESSION_COOKIE, base);
    },
    giveSsoBrowser(reply, token, lifeMs) {
      // The provider's page leads back: sent along by `lax`, and with nothing but a page that is gone to.
      const options = { ...base, sameSite: 'lax', path: '/dashboard/sso', maxAge: seconds(lifeMs) } as const;
      reply.setCookie(SSO_BROWSER_COOKIE, token, options);
    },
    giveKnown(reply, token, lifeMs) {
      reply.setCookie(KNOWN_BROWSER_COOKIE, token, { ...base, path: '/dashboard', maxAge: seconds(lifeMs) });
    },
  };
}
