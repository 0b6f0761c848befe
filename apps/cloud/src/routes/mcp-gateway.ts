import { Readable } from 'node:stream';
import { CodedError, type ErrorCode, mcpMessageSchema } from '@csg/shared/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { findMcpServer } from '../flows/mcp/find-server.ts';
import { type McpRelayReply, type RelayMcpDeps, relayMcp } from '../flows/mcp/relay-mcp.ts';
import { principalOf } from '../plugins/auth.ts';
import { logInternalError, toCodedError } from '../plugins/error-reply.ts';
import type { RawJsonBody } from '../plugins/json-body.ts';
import { needsScope } from '../plugins/route-access.ts';
import { clientGone } from './client-gone.ts';
import { documented } from './documented.ts';

interface ToServer {
  readonly Params: { readonly server: string };
  readonly Body: RawJsonBody | undefined;
}

const CODES: readonly ErrorCode[] = [
  ...(['missing_api_key', 'invalid_api_key', 'invalid_request', 'not_found', 'method_not_allowed'] as const),
  ...(['monthly_quota_exceeded', 'spending_limit_exceeded', 'subscription_inactive'] as const),
  ...(['detection_unavailable', 'provider_error'] as const),
];
const params = Type.Object({ server: Type.String({ maxLength: 64 }) });

/** Registers MCP servers behind the gateway: their tools under their own names, over streamable HTTP. */
export function registerMcpGateway(app: FastifyInstance, deps: RelayMcpDeps): void {
  // The message has the server's format: it is parsed, never validated.
  app.setValidatorCompiler(() => () => true);
  const config = needsScope('proxy');
  const common = { tag: 'Agents', params, codes: CODES } as const;

  app.post<ToServer>(
    '/mcp/:server',
    {
      config,
      schema: documented({
        ...common,
        id: 'sendMcpMessage',
        summary: 'Send a message to an MCP server behind the gateway',
        description:
          'Model Context Protocol over streamable HTTP, with the sessions of the server. Tools are pinned per project; calls are subject to the lists, reviews and `flow_control` of the project; results are scanned as untrusted data. The response is JSON or a stream of events, as the server sends it.',
        body: mcpMessageSchema,
        response: mcpMessageSchema,
        bodyIsOpaque: true,
      }),
      serializerCompiler: () => (data) => String(data),
    },
    (request, reply) => relay(request, reply, 'POST'),
  );
  app.get<ToServer>(
    '/mcp/:server',
    {
      config,
      schema: documented({
        ...common,
        id: 'listenToMcpServer',
        summary: 'Listen to messages of an MCP server',
        description: 'A stream of events. A server without one answers 405.',
        response: Type.String(),
      }),
      serializerCompiler: () => (data) => String(data),
    },
    (request, reply) => relay(request, reply, 'GET'),
  );
  app.delete<ToServer>(
    '/mcp/:server',
    {
      config,
      schema: documented({
        ...common,
        id: 'endMcpSession',
        summary: 'End a session of an MCP server',
        response: null,
      }),
    },
    (request, reply) => relay(request, reply, 'DELETE'),
  );

  async function relay(
    request: FastifyRequest<ToServer>,
    reply: FastifyReply,
    method: 'GET' | 'POST' | 'DELETE',
  ): Promise<FastifyReply> {
    const { headers, ip: ipAddress, id: requestId, body, params } = request;
    // A HEAD request would open a stream that no client reads.
    if (request.method === 'HEAD') {
      await findMcpServer(deps, principalOf(request), params.server);
      throw new CodedError('method_not_allowed');
    }
    const relayed = await relayMcp(deps, principalOf(request), {
      ...{ method, server: params.server, headers, requestId, ipAddress },
      ...{ bytes: body?.bytes ?? null, value: body?.value },
      signal: clientGone(request),
    });
    return send(request, reply, relayed);
  }
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, evaluation }: McpRelayReply,
): FastifyReply {
  if (evaluation !== null) request.verdict = evaluation;
  reply.code(status).headers(headers);
  if (body === null || typeof body === 'string') return reply.send(body ?? undefined);
  return reply.send(Readable.from(whole(request, reply, body), { objectMode: false }));
}

/** Sends the headers before the first event; a later error is logged and ends the stream. */
async function* whole(
  request: FastifyRequest,
  reply: FastifyReply,
  body: AsyncIterable<string>,
): AsyncGenerator<string> {
  reply.raw.flushHeaders();
  try {
    yield* body;
  } catch (cause) {
    if (request.socket.destroyed) return;
    request.hasStreamFailed = true;
    const error = toCodedError(cause, request);
    logInternalError(request, reply, error);
    throw error;
  }
}
