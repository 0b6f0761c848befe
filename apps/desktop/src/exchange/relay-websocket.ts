import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { evaluateMessage, type MessageVerdict, watchMessages } from '../inspect/evaluate-message.ts';
import type { EvaluationTools, InspectedRequest } from '../inspect/evaluate-reading.ts';
import { evaluateRequest, type RequestVerdict } from '../inspect/evaluate-request.ts';
import type { ConnectionTarget } from '../upstream/open-request.ts';
import { type HeaderChanges, outgoingHeaders } from '../upstream/outgoing-headers.ts';
import type { UpstreamPool } from '../upstream/upstream-pool.ts';
import { replyHeaders } from './client-end.ts';
import type { OwnReply } from './events.ts';
import type { ExchangeParts, ExchangeRules } from './run-exchange.ts';
import {
  type Message,
  type Side,
  type SocketAction,
  type SocketEvent,
  socketStart,
  socketStep,
} from './websocket-machine.ts';

const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** Maximum of bytes that may wait on a slow side before the other is paused. */
const HIGH_WATER_BYTES = 1024 * 1024;
const HANDSHAKE = /^(?:host|upgrade|connection|sec-websocket-(?:key|version|extensions|protocol|accept))$/i;

/** A WebSocket upgrade request and its connection. */
export interface Upgrade {
  readonly target: ConnectionTarget;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** What was masked in its headers. */
  readonly changes?: HeaderChanges;
}

/**
 * Relays a WebSocket to an AI host. Both ends are ours, so that every message can be read before it is forwarded. The
 * handshake is read like a request without a body. The provider is contacted first; if it rejects the handshake, the
 * client gets its response.
 */
export async function relayWebSocket(
  parts: ExchangeParts,
  rules: ExchangeRules,
  pool: Pick<UpstreamPool, 'tlsAgent' | 'plainAgent'>,
  upgrade: Upgrade,
): Promise<void> {
  const { request, socket } = upgrade;
  const { compiled } = rules;
  const { host } = upgrade.target;
  const { rawHeaders } = request;
  const handshake = { compiled, host, path: upgrade.path, method: 'GET', rawHeaders };
  const tools = { ...parts.tools, access: rules.access, maskDigest: rules.maskDigest };
  try {
    if (!compiled.isAiHost(host) && !compiled.isBlockedTool(host))
      return connect(parts, rules, pool, upgrade);
    const verdict = await evaluateRequest(handshake, { kind: 'none' }, tools);
    if (socket.destroyed) return;
    note(parts, verdict);
    if (verdict.kind === 'block')
      return endWithReply(socket, { ...verdict.reply, eventId: verdict.event.eventId });
    const { path = null, headers = undefined } = verdict.kind === 'rewrite' ? verdict : {};
    const changes = headers === undefined ? {} : { values: headers };
    connect(parts, rules, pool, { ...upgrade, path: path ?? upgrade.path, changes });
  } catch {
    endWith(socket, 502, 'Bad Gateway');
  }
}

function note({ counters, record }: ExchangeParts, verdict: RequestVerdict): void {
  if (verdict.isUnanswered) counters.noResponses++;
  if (verdict.kind !== 'forward') counters[verdict.kind === 'block' ? 'blocked' : 'redacted']++;
  if (verdict.event !== null) record(verdict.event);
}

function connect(
  parts: ExchangeParts,
  rules: ExchangeRules,
  pool: Pick<UpstreamPool, 'tlsAgent' | 'plainAgent'>,
  { target, path, request, socket, head, changes = {} }: Upgrade,
): void {
  const protocols = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const headers = outgoingHeaders(request.rawHeaders, changes) as Record<string, string | string[]>;
  for (const name of Object.keys(headers)) if (HANDSHAKE.test(name)) delete headers[name];
  const scheme = target.isTls ? 'wss' : 'ws';
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  let upstream: WebSocket;
  try {
    upstream = new WebSocket(`${scheme}://${host}:${target.port}${path}`, protocols, {
      headers: { ...headers },
      agent: target.isTls ? pool.tlsAgent : pool.plainAgent,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: /permessage-deflate/i.test(request.headers['sec-websocket-extensions'] ?? ''),
      skipUTF8Validation: false,
    });
  } catch {
    // The client sent an invalid subprotocol, header or path.
    endWith(socket, 400, 'Bad Request');
    return;
  }
  const leave = (): void => upstream.terminate();
  socket.once('close', leave);
  upstream.once('unexpected-response', (_request, response) => passRefusal(response, socket));
  upstream.once('error', () => {
    if (upstream.readyState !== WebSocket.OPEN) endWith(socket, 502, 'Bad Gateway');
  });
  upstream.once('open', () => {
    const server = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: upstream.extensions.includes('permessage-deflate'),
      handleProtocols: () => (upstream.protocol === '' ? false : upstream.protocol),
    });
    upstream.pause();
    server.handleUpgrade(request, socket as Socket, head, (client) => {
      // From here on the WebSocket protocol signals the end.
      socket.off('close', leave);
      joinWebSockets(parts, rules, target, path, client, upstream);
      upstream.resume();
    });
  });
}

function passRefusal(response: IncomingMessage, socket: Duplex): void {
  const lines = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`];
  for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) {
    if (/^(?:connection|transfer-encoding|keep-alive)$/i.test(response.rawHeaders[i]!)) continue;
    lines.push(`${response.rawHeaders[i]}: ${response.rawHeaders[i + 1]}`);
  }
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  response.pipe(socket);
}

export function endWith(socket: Duplex, status: number, text: string): void {
  if (socket.writable)
    socket.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function endWithReply(socket: Duplex, reply: OwnReply): void {
  if (!socket.writable) return;
  const headers = Object.entries({ ...replyHeaders(reply), connection: 'close' });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const { status, body } = reply;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** One function for each type of action. */
type Performers = {
  readonly [Type in SocketAction['type']]: (action: Extract<SocketAction, { type: Type }>) => void;
};

function joinWebSockets(
  parts: ExchangeParts,
  { compiled, access, maskDigest }: ExchangeRules,
  target: ConnectionTarget,
  path: string,
  client: WebSocket,
  provider: WebSocket,
): void {
  const request: InspectedRequest = { compiled, host: target.host, path, method: 'GET' };
  const tools: EvaluationTools = { ...parts.tools, access, maskDigest };
  const watch = watchMessages(request, tools);
  const sides = { client, provider };
  let state = socketStart(compiled.isAiHost(target.host));

  function feed(event: SocketEvent): void {
    const step = socketStep(state, event);
    state = step.state;
    for (const action of step.actions) (perform[action.type] as (action: SocketAction) => void)(action);
  }

  const perform: Performers = {
    evaluate: ({ from, message }) => evaluate(from, message),
    record: ({ event }) => parts.record(event),
    count({ counter }) {
      parts.counters[counter]++;
    },
    relay: ({ to, message }) => relay(sides[to], to === 'client' ? provider : client, message),
    close: ({ side, code, reason }) => closeWith(sides[side], code, reason),
    terminate: ({ side }) => sides[side].terminate(),
  };

  function evaluate(from: Side, message: Message): void {
    if (from === 'client') {
      evaluateMessage(request, message.bytes, message.isBinary, tools).then(
        (verdict) => {
          noteClient(message, verdict);
          feed({ type: 'client-verdict', verdict });
        },
        () => feed({ type: 'failed' }),
      );
      return;
    }
    try {
      const verdict = watch.push(message.bytes, message.isBinary);
      feed({ type: 'provider-verdict', message, verdict });
    } catch {
      feed({ type: 'failed' });
    }
  }

  /** Notes what the provider gets: a blocked message is not part of the conversation. */
  function noteClient({ bytes, isBinary }: Message, verdict: MessageVerdict): void {
    if (isBinary || verdict.kind === 'block') return;
    if (verdict.kind === 'rewrite') watch.noteClient(verdict.text);
    else watch.noteClient(bytes, verdict.value);
  }

  for (const side of ['client', 'provider'] as const) {
    const [own, other] = side === 'client' ? [client, provider] : [provider, client];
    own.on('message', (data, isBinary) =>
      feed({ type: 'message', from: side, message: { bytes: data as Buffer, isBinary } }),
    );
    own.on('ping', (data) => other.ping(data));
    own.on('error', () => other.terminate());
    own.on('close', (code, reason) => feed({ type: 'closed', by: side, code, reason }));
  }
}

function relay(to: WebSocket, from: WebSocket, { bytes, isBinary }: Message): void {
  if (to.readyState !== WebSocket.OPEN) return;
  to.send(bytes, { binary: isBinary }, () => {
    if (from.isPaused && to.bufferedAmount < HIGH_WATER_BYTES) from.resume();
  });
  if (to.bufferedAmount > HIGH_WATER_BYTES) from.pause();
}

/** 1005 means that no code was received, and may not be sent. */
function closeWith(socket: WebSocket, code: number, reason: Uint8Array): void {
  if (code === 1005 || code < 1000) socket.close();
  else socket.close(code, Buffer.from(reason));
}
