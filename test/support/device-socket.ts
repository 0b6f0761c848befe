import { once } from 'node:events';
import { connect } from 'node:net';

export interface DeviceSocket {
  readonly socket: WebSocket;
  /** The messages of the service so far. */
  readonly messages: Readonly<Record<string, unknown>>[];
  say(message: unknown): void;
  /** The first message of this type, past or future. Rejects if the channel closes before. */
  next(type: string): Promise<Readonly<Record<string, unknown>>>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Opens a device's live channel. Rejects if the service refuses it. */
export async function openDeviceSocket(
  address: string,
  key: string,
  path = '/api/v1/devices/channel',
): Promise<DeviceSocket> {
  // Node's own WebSocket accepts headers, which the browser's type does not declare.
  const options = { headers: { 'x-api-key': key } } as unknown as string[];
  const socket = new WebSocket(`${address.replace('http', 'ws')}${path}`, options);
  const messages: Readonly<Record<string, unknown>>[] = [];
  const waiting = new Set<() => void>();
  let isClosed = false;
  socket.addEventListener('message', (event) => {
    messages.push(JSON.parse(String(event.data)));
    for (const look of waiting) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => {
      isClosed = true;
      for (const look of waiting) look();
      resolve({ code, reason });
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the channel was refused')));
  });
  return {
    socket,
    messages,
    closed,
    say: (message) =>
      socket.send(
        message instanceof Uint8Array || typeof message === 'string' ? message : JSON.stringify(message),
      ),
    next: (type) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = messages.find((message) => message['type'] === type);
          if (found === undefined && !isClosed) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`the channel closed before it said ${type}`));
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Writes a request unchanged, and reads until the service sends nothing more or closes. */
export async function rawRequest(address: string, lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`${lines.join('\r\n')}\r\nHost: ${hostname}\r\n\r\n${body}`);
  let text = '';
  for await (const chunk of socket) text += (chunk as Buffer).toString('latin1');
  return text;
}

export const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
] as const;
