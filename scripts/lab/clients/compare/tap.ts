import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a client sent, and how it was answered. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  status: number;
}

/** Where the tap sends what it recorded. */
export interface Target {
  readonly port: number;
  /** Replaces `/api` at the start of a path; the gateway keeps it. */
  readonly prefix: string;
  /** The host that the request is for, and a connection to it. */
  readonly host?: string;
  readonly connect?: () => Promise<Duplex>;
}

export interface Tap {
  /** With `/api`, where the gateway's routes for clients begin. */
  readonly url: string;
  readonly sent: SentRequest[];
  target: Target;
  close(): Promise<void>;
}

/** Stands between a client and whatever is compared: records the client's bytes and passes them on as they are. */
export async function startTap(): Promise<Tap> {
  const sent: SentRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', rawHeaders } = request;
    const record: SentRequest = { method, url, rawHeaders, body: Buffer.concat(chunks), status: 0 };
    sent.push(record);
    const { target } = tap;
    const socket = await target.connect?.().catch((error: Error) => error);
    // What does not get through is missing at the provider; sent on another way it would prove nothing.
    if (socket instanceof Error) {
      record.status = 502;
      return void response.writeHead(502).end(`The tap could not connect: ${socket.message}`);
    }
    const onward = send({
      // An agent would ignore the connection.
      ...(socket === undefined
        ? { host: '127.0.0.1', port: target.port, agent: false as const }
        : { createConnection: () => socket }),
      ...{ method, path: url.replace(/^\/api/, target.prefix) },
      headers: forTarget(rawHeaders, target),
    });
    onward.on('response', (answer: IncomingMessage) => {
      record.status = answer.statusCode ?? 0;
      response.writeHead(record.status, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(record.body);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tap: Tap = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    sent,
    target: { port: 9, prefix: '' },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return tap;
}

function forTarget(raw: readonly string[], { host }: Target): string[] {
  const headers = [...raw];
  for (let i = 0; i < headers.length; i += 2)
    if (host !== undefined && headers[i]!.toLowerCase() === 'host') headers[i + 1] = host;
  return headers;
}
