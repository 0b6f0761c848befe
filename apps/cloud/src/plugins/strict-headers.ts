import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';

/** Headers that must not be sent twice: two readers could each believe another one (RFC 9110, section 5.3). */
const ONCE = new Set([
  'host',
  'content-type',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'authorization',
  'x-api-key',
  'idempotency-key',
]);

export function registerStrictHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const raw = request.raw.rawHeaders;
    let seen: Set<string> | undefined;
    for (let i = 0; i < raw.length; i += 2) {
      const name = (raw[i] as string).toLowerCase();
      if (!ONCE.has(name)) continue;
      seen ??= new Set();
      if (seen.has(name)) {
        done(new CodedError('invalid_request', { message: `The header ${name} was sent more than once.` }));
        return;
      }
      seen.add(name);
    }
    const coding = request.headers['transfer-encoding'];
    if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
      done(
        new CodedError('invalid_request', { message: 'Only "chunked" is accepted as Transfer-Encoding.' }),
      );
      return;
    }
    done();
  });
}
