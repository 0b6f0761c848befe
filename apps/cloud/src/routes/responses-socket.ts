import { CodedError, errorEnvelope } from '@csg/shared/contract';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Authenticator } from '../flows/authenticate-key.ts';
import type { RelayDependencies } from '../flows/relay-request.ts';
import { serviceKeyIn } from '../flows/service-key.ts';
import { createResponse } from '../flows/streams/create-response.ts';
import type { InFlightLimiter } from '../limits/in-flight-limiter.ts';
import type { MinuteLimiter } from '../limits/minute-limiter.ts';
import { logInternalError, toCodedError } from '../plugins/error-reply.ts';
import { ownerOf } from '../plugins/owner-of.ts';
import { takeOfAccount } from '../plugins/rate-limit.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

export interface ResponsesSocketDeps extends RelayDependencies {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly limiter: MinuteLimiter;
  readonly work: InFlightLimiter;
  readonly newRequestId: () => string;
  readonly settings: RelayDependencies['settings'] & {
    readonly channelPingMs: number;
    readonly bodyLimitBytes: number;
  };
}

/** Requests that wait for the previous one; together they are limited to the maximum size of a body. */
const MAX_WAITING = 16;
/** Idle timeout without a request. */
const IDLE_MS = 15 * 60_000;
/** Maximum unsent bytes; above this the client counts as disconnected. */
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024;

/** Responses over WebSocket: each `response.create` is a separate request; they are handled in sequence. */
export function registerResponsesSocket(app: FastifyInstance, deps: ResponsesSocketDeps): void {
  app.route({
    method: 'GET',
    url: '/responses',
    config: needsScope('proxy'),
    schema: documented({
      tag: 'Model proxy',
      id: 'openResponsesSocket',
      summary: 'Create responses over a WebSocket (OpenAI)',
      description:
        'JSON text frames. The client sends `response.create`, which is evaluated, counted and recorded like `POST /responses`; the service sends the events of the response, or an `error` event.',
      response: Type.Object({}),
      status: 101,
      codes: ['missing_api_key', 'invalid_api_key', 'invalid_request'],
    }),
    handler: async () => {
      throw new CodedError('invalid_request', {
        status: 426,
        message: 'Send a POST, or request an upgrade to WebSocket.',
        headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
      });
    },
    wsHandler: (socket, request) => serve(deps, socket, request),
  });
}

function serve(deps: ResponsesSocketDeps, socket: WebSocket, request: FastifyRequest): void {
  // Only messages count as work, not the connection itself.
  request.inFlight?.end();
  const gone = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let waitingBytes = 0;
  let isAlive = true;
  let busyAtMs = deps.clock.elapsed();
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BACKLOG_BYTES) socket.terminate();
    else socket.send(text);
  };
  const pings = setInterval(() => {
    if (!isAlive) return socket.terminate();
    if (waiting === 0 && deps.clock.elapsed() - busyAtMs > IDLE_MS) return socket.close(1000, 'idle');
    isAlive = false;
    socket.ping();
  }, deps.settings.channelPingMs).unref();
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('message', (data, isBinary) => {
    isAlive = true;
    if (isBinary) return socket.close(1003, 'text frames only');
    const message = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat() as Buffer[]);
    const isTooMuch = waiting > 0 && waitingBytes + message.length > deps.settings.bodyLimitBytes;
    if (waiting >= MAX_WAITING || isTooMuch) return send(errorEvent(new CodedError('rate_limit_exceeded')));
    waiting += 1;
    waitingBytes += message.length;
    last = last
      .then(() => answer(deps, request, message, { send, signal: gone.signal }))
      .finally(() => {
        waiting -= 1;
        waitingBytes -= message.length;
        busyAtMs = deps.clock.elapsed();
      });
    return undefined;
  });
  socket.on('close', () => {
    clearInterval(pings);
    gone.abort(new CodedError('service_unavailable', { message: 'The client left before it was answered.' }));
  });
}

interface Connection {
  readonly send: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Handles one message, from authentication to the last event of its response. Never rejects. */
async function answer(
  deps: ResponsesSocketDeps,
  request: FastifyRequest,
  message: Buffer,
  { send, signal }: Connection,
): Promise<void> {
  if (signal.aborted) return;
  const end = Promise.withResolvers<void>();
  const fail = (cause: unknown): CodedError => {
    const error = toCodedError(cause, request);
    if (!signal.aborted) logInternalError(request, NO_REPLY, error);
    return error;
  };
  try {
    // The key may have been disabled since the connection was opened.
    const principal = await deps.authenticator.authenticate(serviceKeyIn(request.headers));
    await takeOfAccount(deps, principal);
    const owner = ownerOf(request);
    if (!deps.work.hasRoom(owner)) throw new CodedError('service_unavailable');
    const connection = {
      ...{ headers: request.headers, requestId: deps.newRequestId(), ipAddress: request.ip },
      ...{ signal, query: undefined, onStreamFailure: fail },
    };
    deps.work.take(owner, message.length, (inFlight) => {
      void (async () => {
        for await (const event of createResponse(deps, principal, connection, message)) send(event);
      })()
        .finally(() => inFlight.end())
        .then(end.resolve, end.reject);
    });
    await end.promise;
  } catch (cause) {
    send(errorEvent(fail(cause)));
  }
}

/** In the format of the provider's own clients. */
function errorEvent(error: CodedError): string {
  const { error: members } = errorEnvelope(error);
  return JSON.stringify({ type: 'error', status: error.status, error: { param: null, ...members } });
}

/** A WebSocket has no reply that could report whether the client has disconnected. */
const NO_REPLY = { raw: { destroyed: false } } as FastifyReply;
