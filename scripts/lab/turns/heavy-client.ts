/** Sends heavy cases, and is the provider, site, MCP server and policy endpoint behind them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_KEY } from '../../../test/support/clients.ts';
import type { RawReply } from '../../../test/support/test-provider.ts';
import type { HeavyCase } from './heavy-cases.ts';

interface Access {
  readonly key: string;
  /** Headers of a signed-in person, for the dashboard's routes. */
  readonly browser: Readonly<Record<string, string>>;
}

export interface HeavyClient {
  /** Of the provider and of everything else behind the gateway. */
  readonly url: string;
  /** Returns the status. */
  send(address: string, access: Access, one: HeavyCase): Promise<number>;
  close(): Promise<void>;
}

export async function startHeavyClient(): Promise<HeavyClient> {
  let reply: RawReply = {};
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/mcp')) return await answerMcp(request, response, String(reply.body ?? 'Noted.'));
    request.resume();
    await once(request, 'end');
    if (path.startsWith('/policy')) return void response.end('{"verdict":"allow"}');
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body ?? '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async send(address, access, { path, body, answer, isSocket }) {
      reply = answer?.() ?? {};
      const headers = {
        ...(path.startsWith('/dashboard/')
          ? access.browser
          : { 'x-api-key': access.key, authorization: `Bearer ${PROVIDER_KEY}` }),
        'content-type': 'application/json',
        ...{ accept: 'application/json, text/event-stream', 'anthropic-version': '2023-06-01' },
      };
      const sent = path === '/api/v1/scrape' ? { url: `${url}/page` } : body();
      if (isSocket) return await overSocket(address + path, headers, JSON.stringify(sent));
      const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(sent) });
      await response.arrayBuffer();
      return response.status;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Node's WebSocket accepts headers, which the type of browsers does not know. */
const Socket = WebSocket as unknown as new (
  url: string,
  options: { readonly headers: Record<string, string> },
) => WebSocket;

async function overSocket(url: string, headers: Record<string, string>, message: string): Promise<number> {
  const socket = new Socket(url.replace('http', 'ws'), { headers });
  await once(socket, 'open');
  socket.send(message);
  return await new Promise((resolve) => {
    socket.addEventListener('close', () => resolve(0));
    socket.addEventListener('message', ({ data }) => {
      const type = /"type":"(error|response\.(?:completed|incomplete|failed))"/.exec(String(data))?.[1];
      if (type === undefined) return;
      socket.close();
      resolve(type === 'error' ? 400 : 200);
    });
  });
}

async function answerMcp(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
    id?: number;
    method?: string;
  };
  const results: Readonly<Record<string, object>> = {
    initialize: {
      ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
      serverInfo: { name: 'notes', version: '1.0.0' },
    },
    'tools/list': { tools: [{ name: 'note', description: 'Notes.', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text }] },
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method ?? ''] ?? {} }));
}
