import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CodedError, errorEnvelope, SCIM_TYPE, scimError, VERDICT_HEADERS } from '@csg/shared/contract';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface BrokenRequestDeps {
  readonly newRequestId: () => string;
  readonly newEventId: () => string;
}

/** Handles requests that never reach the hooks, with the same error envelope. */
export interface BrokenRequests {
  /** Bytes that are not HTTP, oversized headers, requests that never end. Closes the connection afterwards. */
  readonly clientErrorHandler: (error: ConnectionError, socket: Socket) => void;
  /** URLs that the router cannot parse. */
  readonly frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;
}

/** The client closed the connection in the middle of a request. */
const CUT_OFF = 'HPE_INVALID_EOF_STATE';
/** Error responses written in one turn of the event loop. */
const AT_ONCE = 64;

export function createBrokenRequests(deps: BrokenRequestDeps): BrokenRequests {
  const headersOf = (body: string, requestId: string): Record<string, string> => ({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-ID': requestId,
    [VERDICT_HEADERS.eventId]: deps.newEventId(),
    [VERDICT_HEADERS.decision]: 'allow',
    [VERDICT_HEADERS.confidence]: '0.0',
    [VERDICT_HEADERS.threatType]: 'none',
  });

  const pending = new Map<Socket, ConnectionError>();
  // A network failure breaks thousands of connections at the same time: other requests are served in between.
  const respondToSome = (): void => {
    let left = AT_ONCE;
    for (const [socket, error] of pending) {
      if (left-- === 0) break;
      pending.delete(socket);
      reject(error, socket);
    }
    if (pending.size > 0) setImmediate(respondToSome);
  };

  function reject(error: ConnectionError, socket: Socket): void {
    if (!socket.writable || isResponding(socket)) {
      socket.destroy();
      return;
    }
    const coded = readConnectionError(error);
    const body = JSON.stringify(errorEnvelope(coded));
    const headers = { ...headersOf(body, deps.newRequestId()), Connection: 'close' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `HTTP/1.1 ${coded.status} ${STATUS_CODES[coded.status] ?? ''}\r\n${lines.join('')}\r\n`;
    socket.end(head + body);
    // Does not wait for anything the client still sends.
    socket.setTimeout(1_000, () => socket.destroy());
  }

  return {
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      // Only connections on which nothing can follow may wait.
      if ((error.code as string) !== CUT_OFF) {
        reject(error, socket);
        return;
      }
      if (pending.size === 0) setImmediate(respondToSome);
      pending.set(socket, error);
    },
    frameworkErrors(error, request, reply) {
      const coded =
        error.code === 'FST_ERR_MAX_PARAM_LENGTH'
          ? new CodedError('not_found')
          : new CodedError('invalid_request', { message: 'The URL of the request could not be read.' });
      const isScim = request.raw.url?.startsWith('/scim/v2') ?? false;
      const body = JSON.stringify(isScim ? scimError(coded.status, coded.message) : errorEnvelope(coded));
      const headers = { ...headersOf(body, request.id), ...(isScim ? { 'Content-Type': SCIM_TYPE } : {}) };
      reply.raw.writeHead(coded.status, headers).end(body);
    },
  };
}

/** A response in progress must not be interrupted by another one. */
function isResponding(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & {
    _httpMessage?: { readonly headersSent: boolean; readonly req: { readonly complete: boolean } } | null;
  };
  return response !== undefined && response !== null && (response.headersSent || response.req.complete);
}

function readConnectionError(error: ConnectionError): CodedError {
  switch (error.code as string) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new CodedError('request_timeout');
    case 'HPE_HEADER_OVERFLOW':
      return new CodedError('invalid_request', { message: 'The request headers are too long.' });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new CodedError('invalid_request', { message: 'The chunk extensions of the body are too long.' });
    default:
      return new CodedError('invalid_request', { message: 'The request is not valid HTTP.' });
  }
}

/** Node itself answers an unknown Expect and a missing Host, without a body; here both reach the hooks. */
export function handleExpectHeader(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

/** Converts an absolute-form target (RFC 9112, section 3.2.2) to origin form, the only form used from here on. */
export function shortTarget(url: string): string {
  if (url.startsWith('/')) return url;
  const found = /^https?:\/\/[^/?#]+(?=[/?])/i.exec(url);
  if (found === null) return url;
  const rest = url.slice(found[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Encodes slashes in the model name of a Bedrock URL, where the name is a single segment. */
export function modelTarget(url: string): string {
  const [, start, model, rest] =
    /^(\/api\/v1(?:\/proxy)?\/model\/)([^?#]*\/[^?#]*)(\/(?:converse|converse-stream|invoke|invoke-with-response-stream)(?:\?.*)?)$/.exec(
      url,
    ) ?? [];
  return model === undefined ? url : `${start}${model.replaceAll('/', '%2F')}${rest}`;
}
