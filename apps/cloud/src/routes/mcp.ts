import { type ErrorCode, mcpMessageSchema } from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serviceKeyIn } from '../flows/service-key.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented } from './documented.ts';
import type { RouteDependencies } from './route-dependencies.ts';

const CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key', 'rate_limit_exceeded'];

/**
 * Registers the gateway's own tools over MCP's streamable HTTP, without sessions: each message is handled
 * independently. A tool calls the API with the caller's key, so it is authorized, counted and recorded like that call.
 */
export function registerMcp(app: FastifyInstance, { build }: Pick<RouteDependencies, 'build'>): void {
  app.post<{ Body: Record<string, unknown> }>(
    '/mcp',
    {
      config: needsScope('scan', { orScopes: ['scrape', 'agent'] }),
      schema: documented({
        tag: 'Agents',
        id: 'callMcpServer',
        summary: 'Send a message to the MCP server of the gateway',
        description:
          'Model Context Protocol over streamable HTTP, without sessions: `scan_text`, `redact_text`, `scrape_page`, `validate_tool`. Each tool needs the scope of its own route (`scan`, `scrape`, `agent`); `initialize` and `tools/list` are not counted.',
        body: mcpMessageSchema,
        response: mcpMessageSchema,
        codes: CODES,
      }),
    },
    async (request, reply) => {
      const response = await handleMessage(app, request, build.version);
      reply.code(response.status);
      const type = response.headers.get('content-type');
      if (type !== null) reply.type(type);
      // The package has serialized it already.
      return reply.serializer((text: string) => text).send(await response.text());
    },
  );
}

async function handleMessage(
  app: FastifyInstance,
  request: FastifyRequest<{ Body: Record<string, unknown> }>,
  version: string,
): Promise<Response> {
  // Loaded with the first message, which most services never get.
  const [{ createGatewayClient }, { createGatewayTools }, { WebStandardStreamableHTTPServerTransport }] =
    await Promise.all([
      import('@csg/client'),
      import('../mcp/gateway-tools.ts'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    ]);
  const gateway = createGatewayClient({
    baseUrl: INSIDE,
    apiKey: serviceKeyIn(request.headers) ?? '',
    fetch: (call) => fetchInside(app, call, request.ip),
  });
  const server = createGatewayTools(gateway, version);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const protocol = request.headers['mcp-protocol-version'];
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(typeof protocol === 'string' ? { 'mcp-protocol-version': protocol } : {}),
    };
    return await transport.handleRequest(new Request(`${INSIDE}/mcp`, { method: 'POST', headers }), {
      parsedBody: request.body,
    });
  } finally {
    await server.close();
  }
}

const INSIDE = 'http://gateway.invalid';

/** Calls the API internally, without a connection, with the caller's address. */
async function fetchInside(app: FastifyInstance, call: Request, remoteAddress: string): Promise<Response> {
  const { pathname, search } = new URL(call.url);
  const done = await app.inject({
    method: call.method as 'GET' | 'POST',
    url: pathname + search,
    headers: Object.fromEntries(call.headers),
    payload: await call.text(),
    remoteAddress,
  });
  const headers = Object.entries(done.headers).filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  return new Response(done.payload, { status: done.statusCode, headers });
}
