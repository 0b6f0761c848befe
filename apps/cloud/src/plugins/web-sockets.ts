import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';

/** How long a peer may take to close its connection on shutdown. */
const CLOSE_TIMEOUT_MS = 1_000;
const GOING_AWAY = 1001;

/**
 * Adds WebSockets to routes with a wsHandler. Their hooks (authentication, limits) run first, and a rejection is an
 * ordinary response. On shutdown, peers get a close code that asks them to reconnect.
 */
export async function registerWebSockets(app: FastifyInstance, maxMessageBytes: number): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: maxMessageBytes },
    preClose(done) {
      const { clients } = app.websocketServer;
      for (const client of clients) client.close(GOING_AWAY, 'the service is stopping');
      setTimeout(() => {
        for (const client of clients) client.terminate();
      }, CLOSE_TIMEOUT_MS).unref();
      app.websocketServer.close();
      done();
    },
    errorHandler(error, socket, request) {
      // If a peer violates the protocol or sends too much, the library closes the connection; this is not logged.
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
