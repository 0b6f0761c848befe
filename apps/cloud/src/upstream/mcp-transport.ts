import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, request as send } from 'undici';
import { AddressDenied } from '../outbound/address-denied.ts';
import { checkUrl } from '../outbound/check-url.ts';
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
  readonly body: Dispatcher.ResponseData['body'];
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
        response.body.on('error', () => {});
        const problem = problemOf(response.statusCode, response.headers['content-encoding']);
        if (problem !== null) {
          response.body.destroy();
          throw providerError(labelled(server), problem);
        }
        return {
          status: response.statusCode,
          sessionId: textOrNull(response.headers['mcp-session-id']),
          kind: kindOf(response.headers['content-type']),
          body: response.body,
        };
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

function problemOf(
  status: number,
  encoding: string | readonly string[] | undefined,
): 'redirected' | 'bad_encoding' | null {
  if (status >= 300 && status <= 399) return 'redirected';
  return encoding === undefined || encoding === 'identity' ? null : 'bad_encoding';
}

/** Converts a transport failure to the client's error. */
export function mcpError(server: McpTarget, error: unknown, hasResponded: boolean): Error {
  if (error instanceof Error && error.name === 'CodedError') return error;
  return providerError(labelled(server), readProviderErrorReason(error, hasResponded), error);
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
