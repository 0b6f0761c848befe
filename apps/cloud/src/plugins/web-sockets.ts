import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';

/** How long a peer may take to say goodbye when the service stops. */
const GOODBYE_MS = 1_000;
const GOING_AWAY = 1001;

/**
 * WebSockets for the routes that have a wsHandler; their hooks (who is calling, limits) run first, and a refusal
 * is an ordinary answer. When the service stops, peers are told to come back elsewhere.
 */
export async function registerWebSockets(app: FastifyInstance, maxMessageBytes: number): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: maxMessageBytes },
    preClose(done) {
      const { clients } = app.websocketServer;
      for (const client of clients) client.close(GOING_AWAY, 'the service is stopping');
      setTimeout(() => {
        for (const client of clients) client.terminate();
      }, GOODBYE_MS).unref();
      app.websocketServer.close();
      done();
    },
    errorHandler(error, socket, request) {
      // A peer that breaks the protocol, or sends too much, is told so by the library and is no line in the log.
      if (isPeerError(error)) return;
      request.log.error({ err: error }, 'a WebSocket handler failed');
      socket.terminate();
    },
  });
}

function isPeerError(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && (code.startsWith('WS_ERR_') || code === 'ECONNRESET' || code === 'EPIPE');
}
