import { AMAZON_STREAM, EVENT_STREAM } from '@csg/shared/providers';
import type { FastifyInstance } from 'fastify';

/**
 * Sets the headers of every response: `X-Request-ID`, to quote when reporting a failure, and headers that prevent
 * responses, which are data for programs, from being sniffed, cached or framed. Pages set their own policy on top.
 */
export function registerCommonHeaders(app: FastifyInstance, options: { readonly https: boolean }): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-ID', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    reply.header('Cache-Control', 'no-store');
    reply.header('Referrer-Policy', 'no-referrer');
    reply.header('X-Frame-Options', 'DENY');
    // Prevents pages of other origins from embedding a response as a script or image; CORS is not affected.
    reply.header('Cross-Origin-Resource-Policy', 'same-origin');
    reply.header('Cross-Origin-Opener-Policy', 'same-origin');
    reply.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    if (options.https) reply.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Proxies such as nginx would otherwise hold a stream back until it has ended.
    if (STREAMS.test(String(reply.getHeader('content-type')))) reply.header('X-Accel-Buffering', 'no');
    done(null, payload);
  });
}

const STREAMS = new RegExp(`^(?:${[EVENT_STREAM, AMAZON_STREAM].join('|')})`);
