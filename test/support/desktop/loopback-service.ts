import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import {
  createServiceClient,
  type ServiceClient,
} from '../../../apps/desktop/src/cloud-client/service-client.ts';

export interface ServiceReply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The agent's real client, and a service on loopback that answers as the test says; null: it closes the connection.
 */
export async function openLoopbackService(
  answer: (request: IncomingMessage, body: string) => ServiceReply | null,
): Promise<ServiceClient> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = answer(request, Buffer.concat(chunks).toString());
    if (reply === null) return void request.socket.destroy();
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createServiceClient({ url, apiKey: 'svc_live_x', deadlineMs: 60_000 });
  after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return client;
}
