import type { FastifyInstance } from 'fastify';
import type { Storage } from '../storage/storage.ts';

/** What a request changes is recorded with the address of its client. Registered after the body's parsers. */
export function registerClientAddress(
  app: FastifyInstance,
  { storage }: { readonly storage: Pick<Storage, 'audit'> },
): void {
  app.addHook('preHandler', (request, _reply, done) => storage.audit.from(request.ip, done));
}
