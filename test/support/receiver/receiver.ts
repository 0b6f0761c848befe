import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ReceiverFault } from './faults.ts';

/** A receiver with one fault. */
export async function startFaultyReceiver(
  fault: ReceiverFault,
): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (fault.on === 'head') return fault.act(socket);
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return;
      socket.off('data', read);
      socket.resume();
      fault.act(socket);
    };
    socket.on('data', read);
  });
  return {
    url: `${await listen(server)}/hook`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: {
    readonly event: string;
    readonly project_id: string;
    readonly data: Record<string, unknown>;
  } & Record<string, unknown>;
  readonly atMs: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** Sets the response; 200 by default. */
  answer(how: (response: ServerResponse, received: ReceivedWebhook) => void): void;
  /** Resolves when this many have arrived in total. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A receiver that records its requests. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const well = (response: ServerResponse): void => void response.writeHead(200).end();
  let how: (response: ServerResponse, received: ReceivedWebhook) => void = well;
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const got = {
        path: request.url ?? '',
        headers: request.headers,
        raw,
        body: JSON.parse(raw.toString()),
        atMs: performance.now(),
      };
      received.push(got);
      how(response, got);
      for (const waiter of waiting) if (received.length >= waiter.count) waiter.resolve();
    });
  });
  return {
    url: `${await listen(server)}/hook`,
    received,
    answer(next) {
      how = next;
    },
    until: (count) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
