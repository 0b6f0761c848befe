/** A stand-in MCP server over streamable HTTP, built with the official package, with sessions. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as McpProtocol } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';

export interface McpTestServer {
  readonly url: string;
  /** The listed tools; tests change them between two listings. */
  tools: Tool[];
  /** Received calls: name and arguments. */
  readonly calls: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];
  readonly headers: IncomingHttpHeaders[];
  /** Sessions that clients ended. */
  readonly ended: string[];
  close(): Promise<void>;
}

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** `isJson`: responds with JSON instead of a stream of events. */
export async function startMcpTestServer(
  answer: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    protocol: McpProtocol,
  ) => CallToolResult | Promise<CallToolResult>,
  { tools, isJson = false }: { readonly tools: Tool[]; readonly isJson?: boolean },
): Promise<McpTestServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const standIn: Omit<McpTestServer, 'url' | 'close'> = { tools, calls: [], headers: [], ended: [] };
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const protocol = new McpProtocol(
      { name: 'stand-in', version: '1.0.0' },
      { capabilities: { tools: { listChanged: true }, logging: {} } },
    );
    protocol.setRequestHandler(ListToolsRequestSchema, () => ({ tools: standIn.tools }));
    protocol.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) => {
      standIn.calls.push({ name, args });
      return answer(name, args, protocol);
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: isJson,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void standIn.ended.push(id),
    });
    await protocol.connect(transport as Parameters<McpProtocol['connect']>[0]);
    return transport;
  };
  const http = await listen(async (request, response) => {
    standIn.headers.push(request.headers);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && known === undefined) return void response.writeHead(404).end();
    await (known ?? (await begin())).handleRequest(request, response);
  });
  return Object.assign(standIn, {
    url: `${addressOf(http)}/mcp`,
    close: () => closeServer(http),
  });
}

export async function listen(handle: RequestListener): Promise<Server> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

export const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
