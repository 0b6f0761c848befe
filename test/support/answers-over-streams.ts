/** Clients whose answers are no response of a POST. */
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import type { Answer } from './answers.ts';
import { PROVIDER_KEY } from './clients.ts';
import type { TestGateway } from './gateway.ts';

const NO_ANSWER: Answer = { status: 200, headers: new Headers(), text: '', body: {}, error: {} };

/** Sends one `response.create` with the openai package. */
export async function overSocket({ address }: TestGateway, key: string, body: object): Promise<Answer> {
  const defaultHeaders = { 'X-API-Key': key };
  const client = new OpenAI({ baseURL: `${address}/api/v1`, apiKey: PROVIDER_KEY, defaultHeaders });
  const socket = new ResponsesWS(client, { headers: defaultHeaders });
  const events: { readonly type: string }[] = [];
  socket.on('event', (event) => void events.push(event));
  socket.on('error', () => {});
  socket.send({ type: 'response.create', ...body } as never);
  const isLast = ({ type }: { type: string }) => /^(?:error|response\.(?:completed|incomplete))$/.test(type);
  while (!events.some(isLast)) await once(socket.socket as never, 'message');
  socket.close();
  return { ...NO_ANSWER, text: JSON.stringify(events.find(isLast)) };
}

/** Calls a tool of an MCP server with the official package. */
export async function overMcp({ address }: TestGateway, key: string, body: object): Promise<Answer> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/api/v1/mcp/notes`), {
    requestInit,
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const called = client.callTool(body as Parameters<Client['callTool']>[0]);
  const result = await called.catch((error: unknown) => String(error));
  await client.close();
  return { ...NO_ANSWER, text: JSON.stringify(result) };
}
