import type { FastifyReply } from 'fastify';

/** The name is set by the interface specification. */
export const SESSION_COOKIE = 'session';
/** Identifies a browser with an earlier sign-in. Grants nothing: wrong passwords are counted separately for it. */
export const KNOWN_BROWSER_COOKIE = 'known_browser';

/** Binds a single sign-on flow to the browser that began it: the provider's response is invalid in another one. */
export const SSO_BROWSER_COOKIE = 'sso_browser';

export interface SessionCookie {
  give(reply: FastifyReply, token: string, lifeMs: number): void;
  drop(reply: FastifyReply): void;
  giveKnown(reply: FastifyReply, token: string, lifeMs: number): void;
  giveSsoBrowser(reply: FastifyReply, token: string, lifeMs: number): void;
}

/**
 * Not readable by scripts, and never sent from another site's page. `Secure` if the service is reached by https: a
 * browser would not store it on plain loopback http.
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
      // The provider redirects back from another site: `lax` sends the cookie with such navigations only.
      const options = { ...base, sameSite: 'lax', path: '/dashboard/sso', maxAge: seconds(lifeMs) } as const;
      reply.setCookie(SSO_BROWSER_COOKIE, token, options);
    },
    giveKnown(reply, token, lifeMs) {
      reply.setCookie(KNOWN_BROWSER_COOKIE, token, { ...base, path: '/dashboard', maxAge: seconds(lifeMs) });
    },
  };
}
