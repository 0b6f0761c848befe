import type { FastifyInstance } from 'fastify';

/**
 * Headers of every response: `X-Request-ID`, to quote when reporting a failure, and those that keep responses, which
 * are data for programs, from being sniffed, cached or framed. Pages set their own policy on top.
 */
export function registerCommonHeaders(app: FastifyInstance, options: { readonly https: boolean }): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-ID', request.id);
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
