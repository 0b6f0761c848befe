import { once } from 'node:events';
import { WebSocket } from 'ws';

const LAST = /^(?:error|response\.(?:completed|incomplete|failed))$/;

/** Sends one `response.create` over a WebSocket of its own; resolves after the last event of its response. */
export async function sendOverSocket(
  address: string,
  headers: Readonly<Record<string, string>>,
  message: string,
): Promise<void> {
  const socket = new WebSocket(address.replace(/^http/, 'ws'), { headers });
  await once(socket, 'open');
  const last = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    if (LAST.test((JSON.parse(String(data)) as { type: string }).type)) last.resolve();
  });
  socket.once('close', () => last.reject(new Error('The socket was closed before the last event.')));
  socket.send(message);
  await last.promise;
  socket.close();
  await once(socket, 'close');
}
