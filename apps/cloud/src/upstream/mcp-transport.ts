import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Dispatcher, request as send } from 'undici';
import { AddressDenied } from '../outbound/address-denied.ts';
import { checkUrl } from '../outbound/check-url.ts';
import { decodeErrorOf, decodeStream } from '../outbound/decode-body.ts';
import type { GuardRules } from '../outbound/guarded-connector.ts';
import { createGuardedDispatchers } from '../outbound/guarded-dispatchers.ts';
import { providerError, readProviderErrorReason } from './provider-error.ts';

export interface McpTarget {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Configured by the operator, who may use internal addresses. */
  readonly isFromFile: boolean;
}

export interface McpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The client's headers; only those of the transport are forwarded. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | null;
  readonly signal: AbortSignal;
}

export interface McpReply {
  readonly status: number;
  readonly sessionId: string | null;
  readonly kind: 'json' | 'event-stream' | 'none';
  /** Decoded. */
  readonly body: Readable;
  /** When to try again and how to sign in, of a reply with that status. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends single messages to MCP servers, each once. Throws `provider_error` if no reply arrives. */
export interface McpTransport {
  send(server: McpTarget, call: McpCall): Promise<McpReply>;
  close(): Promise<void>;
}

const PASSED_HEADERS = ['mcp-session-id', 'mcp-protocol-version', 'last-event-id'] as const;

export function createMcpTransport(rules: GuardRules & { readonly timeoutMs: number }): McpTransport {
  const { timeoutMs, ...guard } = rules;
  const inner = createGuardedDispatchers({ ...guard, allowPrivate: true });
  const guarded = createGuardedDispatchers(guard);

  return {
    async send(server, { method, headers, body, signal }) {
      const dispatchers = server.isFromFile ? inner : guarded;
      const checked = checkUrl(server.url, server.isFromFile ? { allowPrivate: true } : guard);
      if (!checked.ok) throw mcpError(server, new AddressDenied(checked.reason), false);
      try {
        const response = await send(checked.url, {
          dispatcher: dispatchers.of(checked.url.origin),
          ...{ method, body, signal, headers: requestHeaders(server, method, headers) },
          headersTimeout: timeoutMs,
          // A stream that a client listens to may be silent for hours.
          bodyTimeout: method === 'GET' ? 0 : timeoutMs,
        });
        return replyOf(server, response);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw mcpError(server, error, false);
      }
    },
    async close() {
      await Promise.all([inner.destroy(), guarded.destroy()]);
    },
  };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function replyOf(
  server: McpTarget,
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
): McpReply {
  body.on('error', () => {});
  const isRedirected = status >= 300 && status <= 399;
  const decoded = isRedirected ? null : decodeStream(body, headers['content-encoding']);
  if (decoded === null) {
    body.destroy();
    throw providerError(labelled(server), isRedirected ? 'redirected' : 'bad_encoding');
  }
  return {
    status,
    sessionId: textOrNull(headers['mcp-session-id']),
    kind: kindOf(headers['content-type']),
    body: decoded,
    headers: statusHeaders(status, headers),
  };
}

function statusHeaders(status: number, headers: IncomingHttpHeaders): Record<string, string> {
  const name = { 401: 'www-authenticate', 429: 'retry-after' }[status];
  const value = name === undefined ? undefined : headers[name];
  return typeof value === 'string' && /^[\x20-\x7e]{1,1024}$/.test(value) ? { [name!]: value } : {};
}

/** Converts a transport failure to the client's error. */
export function mcpError(server: McpTarget, error: unknown, hasResponded: boolean): Error {
  if (error instanceof Error && error.name === 'CodedError') return error;
  const reason = decodeErrorOf(error) ?? readProviderErrorReason(error, hasResponded);
  return providerError(labelled(server), reason, error);
}

export function labelled({ name }: McpTarget): { readonly name: string; readonly label: string } {
  return { name, label: `The MCP server ${name}` };
}

function requestHeaders(
  server: McpTarget,
  method: McpCall['method'],
  sent: IncomingHttpHeaders,
): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': 'ContentSecurityGateway-MCP/1.0',
    ...server.headers,
  };
  for (const name of PASSED_HEADERS) if (typeof sent[name] === 'string') headers[name] = sent[name];
  headers['accept'] = method === 'POST' ? 'application/json, text/event-stream' : 'text/event-stream';
  if (method === 'POST') headers['content-type'] = 'application/json';
  return headers;
}

function kindOf(type: string | string[] | undefined): McpReply['kind'] {
  const essence = String(type ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase();
  if (essence === 'application/json') return 'json';
  return essence === 'text/event-stream' ? 'event-stream' : 'none';
}
