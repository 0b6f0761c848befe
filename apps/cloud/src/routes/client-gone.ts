import type { Socket } from 'node:net';
import { CodedError } from '@csg/shared/contract';
import type { FastifyRequest } from 'fastify';

const departures = new WeakMap<Socket, AbortSignal>();

/** Aborts when the client disconnects, to end the provider's call. Shared by all requests of a connection. */
export function clientGone({ socket }: FastifyRequest): AbortSignal {
  const known = departures.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  socket.once('close', () => {
    controller.abort(
      new CodedError('service_unavailable', { message: 'The client left before it was answered.' }),
    );
  });
  // With a listener that stays, those of the requests do not make and empty the signal's table (see fair-queue.ts).
  controller.signal.addEventListener('abort', () => {});
  departures.set(socket, controller.signal);
  return controller.signal;
}
