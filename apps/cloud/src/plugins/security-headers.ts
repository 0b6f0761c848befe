import type { FastifyInstance } from 'fastify';

/** Answers are data for programs: never sniffed, cached or framed. Pages set their own policy on top. */
export function registerSecurityHeaders(app: FastifyInstance, options: { readonly https: boolean }): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff');
    reply.header('Cache-Control', 'no-store');
    reply.header('Referrer-Policy', 'no-referrer');
    reply.header('X-Frame-Options', 'DENY');
    // Nor embedded by a page of another origin as if they were a script or an image; CORS is not touched by it.
    reply.header('Cross-Origin-Resource-Policy', 'same-origin');
    reply.header('Cross-Origin-Opener-Policy', 'same-origin');
    reply.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    if (options.https) reply.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    done();
  });
}
