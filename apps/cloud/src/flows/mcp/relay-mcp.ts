import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import {
  labelled,
  type McpReply,
  type McpTarget,
  type McpTransport,
  mcpError,
} from '../../upstream/mcp-transport.ts';
import { providerError } from '../../upstream/provider-error.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Evaluation } from '../decision/evaluate.ts';
import { EventTooLongError, readEvents, withData } from '../streams/read-events.ts';
import { type ClientMessageDeps, evaluateClientMessage } from './evaluate-client-message.ts';
import { type FindServerDeps, findMcpServer } from './find-server.ts';
import type { McpExchange } from './mcp-exchange.ts';
import { readClientMessage, rejected } from './message.ts';
import { readServerMessage, type ServerMessageDeps } from './read-server-message.ts';

export interface RelayMcpDeps extends FindServerDeps, ClientMessageDeps, ServerMessageDeps {
  readonly storage: FindServerDeps['storage'] & ClientMessageDeps['storage'] & ServerMessageDeps['storage'];
  readonly mcpTransport: McpTransport;
  readonly settings: { readonly maxMcpMessageBytes: number };
}

export interface McpRelayRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly server: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer | null;
  readonly value: unknown;
  readonly requestId: string;
  readonly ipAddress: string;
  readonly signal: AbortSignal;
}

export interface McpRelayReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string> | null;
  /** The evaluation known when the head is sent. */
  readonly evaluation: Evaluation | null;
}

/** Relays a message to an MCP server unchanged. It and the server's messages are evaluated before they pass. */
export async function relayMcp(
  deps: RelayMcpDeps,
  principal: Principal,
  request: McpRelayRequest,
): Promise<McpRelayReply> {
  const message = request.method === 'POST' ? readClientMessage(request.value) : null;
  const server = await findMcpServer(deps, principal, request.server);
  const exchange = exchangeOf(principal, server, request, message);
  if (message !== null) {
    const { reply, evaluation } = await evaluateClientMessage(deps, exchange, message);
    if (reply !== null) return { status: 200, headers: JSON_TYPE, body: JSON.stringify(reply), evaluation };
    if (exchange.method === 'tools/list') deps.mcpHistories.noteListing(exchange);
  }
  const { method, headers, bytes, signal } = request;
  const reply = await deps.mcpTransport.send(server, { method, headers, body: bytes, signal });
  const session = reply.sessionId === null ? {} : { 'mcp-session-id': reply.sessionId };
  if (reply.status < 200 || reply.status > 299) {
    reply.body.destroy();
    throw statusError(server, reply, request);
  }
  if (reply.kind === 'event-stream') {
    return {
      status: reply.status,
      headers: { ...session, 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
      body: readStream(deps, exchange, reply),
      evaluation: null,
    };
  }
  const source = await gather(deps, server, reply);
  if (source === '') return { status: reply.status, headers: session, body: null, evaluation: null };
  if (reply.kind !== 'json') throw providerError(labelled(server), 'not_json');
  const read = await readServerMessage(deps, exchange, source);
  const { evaluation } = read;
  const body = read.source ?? JSON.stringify(rejected({ id: exchange.requestId }, evaluation!));
  return { status: reply.status, headers: { ...session, ...JSON_TYPE }, body, evaluation };
}

const JSON_TYPE = { 'content-type': 'application/json' };

function exchangeOf(
  principal: Principal,
  server: McpExchange['server'],
  { headers, requestId, ipAddress }: McpRelayRequest,
  message: Readonly<Record<string, unknown>> | null,
): McpExchange {
  const method = typeof message?.['method'] === 'string' ? message['method'] : null;
  const params = message?.['params'] as { readonly name?: unknown } | null | undefined;
  const sessionId = headers['mcp-session-id'];
  return {
    ...{ principal, server, method },
    recorded: { route: `mcp/${server.name}`, model: null, requestId, ipAddress },
    destination: { host: new URL(server.url).host },
    session: typeof sessionId === 'string' ? sessionName(server, sessionId) : null,
    requestId: requestIdOf(message?.['id']),
    isResumed: headers['last-event-id'] !== undefined,
    toolName: method === 'tools/call' && typeof params?.name === 'string' ? params.name : null,
  };
}

const requestIdOf = (id: unknown): string | number | null =>
  typeof id === 'string' || typeof id === 'number' ? id : null;

/** Returns a session key, unique for the project and server, within the length limit of session ids. */
function sessionName({ projectId, name }: McpExchange['server'], sessionId: string): string {
  const digest = createHash('sha256').update(`${projectId}\n${name}\n${sessionId}`).digest('base64url');
  return `mcp:${digest}`;
}

/** Relays event by event, so that a server can send requests to its client before it responds. */
async function* readStream(
  deps: RelayMcpDeps,
  exchange: McpExchange,
  { body }: McpReply,
): AsyncGenerator<string> {
  const { server } = exchange;
  try {
    for await (const event of readEvents(body, deps.settings.maxMcpMessageBytes)) {
      if (event.data === '') yield event.raw;
      else {
        const { source } = await readServerMessage(deps, exchange, event.data);
        if (source !== null) yield source === event.data ? event.raw : withData(event, source);
      }
    }
  } catch (error) {
    if (error instanceof EventTooLongError) throw providerError(labelled(server), 'too_large', error);
    throw mcpError(server, error, true);
  } finally {
    body.destroy();
  }
}

async function gather(deps: RelayMcpDeps, server: McpTarget, { body }: McpReply): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > deps.settings.maxMcpMessageBytes) throw providerError(labelled(server), 'too_large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw mcpError(server, error, true);
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function statusError(
  server: McpTarget,
  { status, headers: passed }: McpReply,
  { headers }: McpRelayRequest,
): CodedError {
  const { label } = labelled(server);
  // Required by the transport: the client then starts a new session.
  if (status === 404 && headers['mcp-session-id'] !== undefined)
    return new CodedError('not_found', {
      message: `${label} does not know this session or has ended it. Start a new session.`,
    });
  if (status === 405) return new CodedError('method_not_allowed');
  const message = `${label} responded with status ${status}.`;
  if (status === 400) return new CodedError('invalid_request', { message });
  const fields = { provider: server.name, provider_status: status };
  if (status === 401) {
    const hint = `${label} requires a sign-in. Ask an admin to set its credential in the headers of the server.`;
    return new CodedError('invalid_api_key', { message: hint, fields, headers: passed });
  }
  if (status === 429) {
    const type = 'rate_limit_error';
    return new CodedError('rate_limit_exceeded', { type, message, fields, headers: passed });
  }
  return new CodedError('provider_error', { status: status === 503 ? 503 : 502, message, fields });
}
