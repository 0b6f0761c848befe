/** Sends heavy cases, and is the provider, site, MCP server and policy endpoint behind them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_KEY } from '../../../test/support/clients.ts';
import type { RawReply } from '../../../test/support/test-provider.ts';
import type { HeavyCase } from './heavy-cases.ts';

export interface Access {
  readonly key: string;
  readonly device: string;
  /** The token of a directory. */
  readonly directory: string;
  /** The project of the signed-in person. */
  readonly projectId: string;
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
  let sent = 0;
  /** By a number that the credential of a request carries; of what arrives without one the last. */
  const replies = new Map<string, RawReply>();
  const replyTo = ({ headers }: IncomingMessage): RawReply => {
    const number = Object.values(headers).join(' ').match(NUMBERED)?.[1] ?? String(sent);
    return replies.get(number) ?? {};
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const reply = replyTo(request);
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
    async send(address, access, one) {
      const number = String(++sent);
      replies.set(number, one.answer?.() ?? {});
      try {
        return await sendCase(address, access, one, { url, number });
      } finally {
        replies.delete(number);
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const NUMBERED = new RegExp(`${PROVIDER_KEY}-(\\d+)`);

async function sendCase(
  address: string,
  access: Access,
  { path, method = 'POST', body, isSocket }: HeavyCase,
  { url, number }: { readonly url: string; readonly number: string },
): Promise<number> {
  const headers = {
    ...credentialsFor(path, access, number),
    ...{ accept: 'application/json, text/event-stream', 'anthropic-version': '2023-06-01' },
  };
  const target = address + path.replace('{project_id}', access.projectId).replace(/\{\w+\}/g, 'x');
  const sent = JSON.stringify(path === '/api/v1/scrape' ? { url: `${url}/page` } : body());
  const written = sent.replace('{project_id}', access.projectId);
  if (isSocket) return await overSocket(target, headers, written);
  const response = await fetch(target, { method, headers, body: written });
  await response.arrayBuffer();
  return response.status;
}

/** Routes that only devices may use. */
const OF_DEVICES = /^\/api\/v1\/(?:devices|exceptions|tool-requests|events)/;

function credentialsFor(path: string, access: Access, number: string): Record<string, string> {
  const json = { 'content-type': 'application/json' };
  if (path.startsWith('/dashboard/')) return { ...json, ...access.browser };
  if (path.startsWith('/scim/'))
    return { 'content-type': 'application/scim+json', authorization: `Bearer ${access.directory}` };
  const key = OF_DEVICES.test(path) ? access.device : access.key;
  return { ...json, 'x-api-key': key, authorization: `Bearer ${PROVIDER_KEY}-${number}` };
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
