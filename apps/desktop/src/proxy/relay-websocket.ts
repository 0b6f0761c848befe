import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseStrictJson } from '@csg/shared/text';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { blockSentence } from '../inspect/block-reply.ts';
import { type Action, decideExchange, decideVerdict } from '../inspect/decide-exchange.ts';
import { readRequest } from '../inspect/read-request.ts';
import type { RequestBody, RequestReading } from '../inspect/request-reading.ts';
import { asFrame, watchStream } from '../inspect/watch-stream.ts';
import { decideOn, type Exchange, type ExchangeDeps, judgeHere, type Opened } from './exchange-parts.ts';
import { outgoingHeaders } from './outgoing-headers.ts';
import type { UpstreamPool } from './upstream-pool.ts';

const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** So much may wait on a slow side before the other is held. */
const HIGH_WATER_BYTES = 1024 * 1024;
const HANDSHAKE = /^(?:host|upgrade|connection|sec-websocket-(?:key|version|extensions|protocol|accept))$/i;

/**
 * A WebSocket to an AI host: both ends are ours, so that every message can be read before it passes. The vendor is
 * asked first, and the client gets the vendor's own answer where that is no.
 */
export function relayWebSocket(
  deps: ExchangeDeps,
  pool: Pick<UpstreamPool, 'tlsAgent' | 'plainAgent'>,
  opened: Opened,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const protocols = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const headers = outgoingHeaders(request.rawHeaders, {}) as Record<string, string | string[]>;
  for (const name of Object.keys(headers)) if (HANDSHAKE.test(name)) delete headers[name];
  const scheme = opened.isTls ? 'wss' : 'ws';
  const host = opened.host.includes(':') ? `[${opened.host}]` : opened.host;
  let upstream: WebSocket;
  try {
    upstream = new WebSocket(`${scheme}://${host}:${opened.port}${request.url ?? '/'}`, protocols, {
      headers: { ...headers },
      agent: opened.isTls ? pool.tlsAgent : pool.plainAgent,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: /permessage-deflate/i.test(request.headers['sec-websocket-extensions'] ?? ''),
      skipUTF8Validation: false,
    });
  } catch {
    // Subprotocols, headers or a path that no WebSocket may have.
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
      // From here on the end is said in the protocol.
      socket.off('close', leave);
      joinWebSockets(deps, opened, request, client, upstream);
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

function joinWebSockets(
  deps: ExchangeDeps,
  opened: Opened,
  request: IncomingMessage,
  client: WebSocket,
  upstream: WebSocket,
): void {
  const compiled = deps.policy();
  const path = request.url ?? '/';
  const exchange = { deps, opened, compiled, path, method: 'GET' } as Exchange;
  const isRead = compiled.isAiHost(opened.host);
  // One after the other: a message that waits for its verdict must not be overtaken.
  let turn: Promise<void> = Promise.resolve();
  const isFirstUnread = firstTime();
  client.on('message', (data, isBinary) => {
    if (!isRead) return relay(upstream, client, data, isBinary);
    turn = turn
      .then(() => judgeMessage(exchange, client, upstream, data, isBinary, isFirstUnread))
      .catch(() => upstream.terminate());
  });
  const watch = watchStream(judgeHere(exchange, 'output'), null);
  let isReported = false;
  const isFirstSound = firstTime();
  upstream.on('message', (data, isBinary) => {
    try {
      const action = !isRead || isReported ? null : judgeAnswer(data, isBinary);
      if (action?.kind !== 'block') return relay(client, upstream, data, isBinary);
      deps.counters.blocked++;
      client.close(1008, 'Held back by Content Security Agent');
      upstream.terminate();
    } catch {
      // What was not judged does not pass.
      client.terminate();
    }
  });

  function judgeAnswer(data: RawData, isBinary: boolean): Action | null {
    const reading = readRequest({ method: 'GET', host: opened.host, path, body: { kind: 'none' } });
    const ids = { nowMs: deps.now(), newEventId: deps.newEventId() };
    const facts = { host: opened.host, path, method: 'GET', direction: 'output' as const, reading, ...ids };
    if (isBinary) {
      const unread = { ...reading, fault: 'It is recorded sound or another binary message.' };
      const action = decideExchange(compiled, { ...facts, reading: unread, turn: null, outcomes: null });
      if (action.event !== null && isFirstSound()) deps.emit(action.event);
      return action;
    }
    const verdict = watch.push(asFrame(String(data)));
    if (verdict.verdict.decision === 'allow' && verdict.exceptionId === null) return null;
    isReported = true;
    const action = decideVerdict(compiled, verdict, facts);
    if (action.event !== null) deps.emit(action.event);
    return action;
  }
  client.on('ping', (data) => upstream.ping(data));
  upstream.on('ping', (data) => client.ping(data));
  client.on('error', () => upstream.terminate());
  upstream.on('error', () => client.terminate());
  client.on('close', (code, reason) => closeWith(upstream, code, reason));
  upstream.on('close', (code, reason) => closeWith(client, code, reason));
}

async function judgeMessage(
  exchange: Exchange,
  client: WebSocket,
  upstream: WebSocket,
  data: RawData,
  isBinary: boolean,
  isFirstUnread: () => boolean,
): Promise<void> {
  const bytes = data as Buffer;
  const reading = readMessage(exchange, bytes, isBinary);
  const action = await decideOn(exchange, 'input', reading);
  if (action.event !== null && (action.event.reason !== 'unread' || isFirstUnread())) {
    exchange.deps.emit(action.event);
  }
  if (action.kind === 'forward') return relay(upstream, client, data, isBinary);
  if (action.kind === 'redact') {
    const { body: written } = reading.write(action.replacements);
    exchange.deps.counters.redacted++;
    if (written !== null) return relay(upstream, client, Buffer.from(written as string), false);
  }
  exchange.deps.counters.blocked++;
  const message = blockSentence(exchange.compiled.policy, 'input', action.event!);
  // As realtime APIs say that an event was refused: the conversation goes on.
  const error = { type: 'content_filter', code: 'request_blocked', message, event_id: eventIdOf(bytes) };
  client.send(JSON.stringify({ type: 'error', event_id: action.event!.eventId, error }));
}

/** Sound comes in many small messages: that it was not read is told once for each connection and direction. */
function firstTime(): () => boolean {
  let isFirst = true;
  return () => {
    const wasFirst = isFirst;
    isFirst = false;
    return wasFirst;
  };
}

function readMessage(exchange: Exchange, bytes: Buffer, isBinary: boolean): RequestReading {
  const isJson = bytes[0] === 0x7b || bytes[0] === 0x5b;
  const kind = isBinary ? 'opaque' : isJson ? 'json' : 'text';
  const { host } = exchange.opened;
  const reading = readRequest({ method: 'POST', host, path: '/', body: { kind, bytes } as RequestBody });
  return isSound(reading.slots) ? { ...reading, slots: [], fault: 'It is recorded sound.' } : reading;
}

/** A message that only carries recorded sound, as base64: no text is in it. */
function isSound(slots: readonly { readonly text: string }[]): boolean {
  const long = slots.filter((slot) => slot.text.length > 40);
  return (
    long.length > 0 &&
    long.every((slot) => /^[A-Za-z0-9+/]+={0,2}$/.test(slot.text) && slot.text.length > 256)
  );
}

function eventIdOf(bytes: Buffer): string | null {
  try {
    const id = (parseStrictJson(bytes).value as { event_id?: unknown }).event_id;
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

function relay(to: WebSocket, from: WebSocket, data: RawData, isBinary: boolean): void {
  if (to.readyState !== WebSocket.OPEN) return;
  to.send(data as Buffer, { binary: isBinary }, () => {
    if (from.isPaused && to.bufferedAmount < HIGH_WATER_BYTES) from.resume();
  });
  if (to.bufferedAmount > HIGH_WATER_BYTES) from.pause();
}

/** 1005 and 1006 say that there was no code, and may not be sent. */
function closeWith(socket: WebSocket, code: number, reason: Buffer): void {
  if (code === 1006) socket.terminate();
  else if (code === 1005 || code < 1000) socket.close();
  else socket.close(code, reason);
}
