import type { Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import { normalHost } from '../inspect/compile-policy.ts';
import { type Action, blockExchange } from '../inspect/decide-exchange.ts';
import { readRequest } from '../inspect/read-request.ts';
import type { RequestBody, RequestReading } from '../inspect/request-reading.ts';
import {
  type BodySource,
  bytesSource,
  type ClientRequestStream,
  gather,
  streamSource,
} from './body-bytes.ts';
import { block, decideOn, type Exchange, type ExchangeDeps, type Opened, refuse } from './exchange-parts.ts';
import type { ClientResponse, UpstreamAnswer } from './forward-request.ts';
import type { HeaderChanges } from './outgoing-headers.ts';
import { breakClient, relayAnswer } from './relay-answer.ts';
import { isOpaque, MAX_BODY_BYTES, readRequestBody } from './request-body.ts';
import { scanAnswer } from './scan-answer.ts';

/** What goes to the vendor once it is decided. */
interface Outgoing {
  readonly path: string;
  readonly body: BodySource;
  readonly changes: HeaderChanges;
  readonly reading: RequestReading | null;
}

const UNCHANGED: HeaderChanges = {};

/** One request, whatever becomes of it. Never throws: an error of ours ends this request, not the process. */
export function runExchange(
  deps: ExchangeDeps,
  opened: Opened,
  request: ClientRequestStream,
  response: ClientResponse,
): void {
  deps.counters.requests++;
  // Clients leave when they like.
  request.on('error', () => {});
  response.on('error', () => {});
  const compiled = deps.policy();
  const method = request.method ?? 'GET';
  const path = request.url ?? '/';
  const exchange: Exchange = { deps, opened, request, response, method, path, compiled };
  handle(exchange).catch((error: Error) => fail(exchange, error));
}

/** An error of ours. What was not judged is not forwarded, and the person reads why. */
function fail({ request, response }: Exchange, error: Error): void {
  request.resume();
  refuse(response, 502, `Content Security Agent could not handle this request (${error.name}).`);
}

async function handle(exchange: Exchange): Promise<void> {
  const { opened, request, response, compiled } = exchange;
  if (!isMeantForHost(request, opened)) refuse(response, 421, 'This connection leads to another host.');
  else if (compiled.isAiHost(opened.host) || compiled.isBlockedTool(opened.host)) {
    await inspectAndForward(exchange);
  } else passOn(exchange, streamSource(request));
}

async function inspectAndForward(exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const hasBody = request.headers['content-length'] !== '0' && mayHaveBody(request);
  const isPassing = hasBody && isOpaque(request.headers);
  const gathered = hasBody && !isPassing ? await gather(request, MAX_BODY_BYTES) : null;
  if (gathered?.kind === 'broken') return breakClient(response);
  let source: BodySource = bytesSource(null);
  let body: RequestBody = { kind: 'none' };
  if (isPassing) {
    source = streamSource(request);
    body = { kind: 'opaque' };
  } else if (gathered?.kind === 'too-large') {
    source = streamSource(request, gathered.head);
    body = { kind: 'unreadable', reason: `The body is larger than ${MAX_BODY_BYTES} bytes.` };
  } else if (gathered !== null) {
    source = bytesSource(gathered.bytes);
    body = await readRequestBody(gathered.bytes, request.headers);
  }
  const { host } = exchange.opened;
  const reading = readRequest({ method: exchange.method, host, path: exchange.path, body });
  const isEmpty = reading.slots.length === 0 && reading.fault === null && reading.unscanned.length === 0;
  if (isEmpty && !exchange.compiled.isBlockedTool(host)) {
    // Nothing was said, so there is nothing to decide.
    passOn(exchange, source);
    return;
  }
  const action = await decideOn(exchange, 'input', reading);
  if (response.destroyed) return;
  act(exchange, action, reading, source);
}

function act(exchange: Exchange, action: Action, reading: RequestReading, source: BodySource): void {
  const { deps, compiled } = exchange;
  if (action.kind === 'forward') {
    if (action.event !== null) deps.emit(action.event);
    const isPrompt = reading.unscanned.length > 0 || reading.slots.some((slot) => slot.isKey !== true);
    forward(exchange, {
      path: exchange.path,
      body: source,
      changes: UNCHANGED,
      reading: isPrompt ? reading : null,
    });
    return;
  }
  if (action.kind === 'redact') {
    const written = reading.write(action.replacements);
    if (written.body !== null || written.path !== null) {
      deps.counters.redacted++;
      deps.emit(action.event);
      const bytes = written.body === null ? null : Buffer.from(written.body as string);
      forward(exchange, {
        path: written.path ?? exchange.path,
        body: bytes === null ? source : bytesSource(bytes),
        changes: bytes === null ? UNCHANGED : { contentLength: bytes.length, isDecoded: true },
        reading,
      });
      return;
    }
    // What was to be masked could not be: it must not go out.
    const event = {
      ...action.event,
      done: 'blocked' as const,
      reason: 'unwritable' as const,
      note: 'It could not be rewritten.',
    };
    block(exchange, blockExchange(compiled, { reading, direction: 'input' }, event));
    return;
  }
  block(exchange, action);
}

/** To the vendor and back, without a look at either. */
function passOn(exchange: Exchange, body: BodySource): void {
  forward(exchange, { path: exchange.path, body, changes: UNCHANGED, reading: null });
}

function forward(exchange: Exchange, outgoing: Outgoing): void {
  const { deps, opened, request, response } = exchange;
  const isTwo = request.httpVersionMajor === 2;
  deps.forwarder[isTwo ? 'forward2' : 'forward1']({
    host: opened.host,
    port: opened.port,
    isTls: opened.isTls,
    method: exchange.method,
    path: outgoing.path,
    rawHeaders: request.rawHeaders,
    changes: outgoing.changes,
    body: outgoing.body,
    response,
    clientSocket: request.socket as Socket,
    onAnswer: (answer) => {
      try {
        receive(exchange, outgoing, answer);
      } catch (error) {
        // An answer that cannot be written down for this client, such as a header its version of HTTP has not.
        answer.body.destroy();
        fail(exchange, error as Error);
      }
    },
    onError: (error) => {
      if (response.headersSent) return breakClient(response);
      refuse(response, 502, `${opened.host} could not be reached (${error.code ?? error.message}).`);
    },
  });
}

function receive(exchange: Exchange, outgoing: Outgoing, answer: UpstreamAnswer): void {
  const isRead = outgoing.reading !== null && answer.status < 300 && exchange.method !== 'HEAD';
  if (isRead) scanAnswer(exchange, outgoing.reading!, answer);
  else relayAnswer(answer, exchange.response);
}

function isMeantForHost(request: ClientRequestStream, opened: Opened): boolean {
  const authority =
    request.httpVersionMajor === 2 ? (request as Http2ServerRequest).authority : request.headers.host;
  // HTTP/1.0 may leave it out.
  if (authority === undefined || authority === '') return request.httpVersion === '1.0';
  return normalHost(authority.replace(/:\d+$/, '')) === opened.host;
}

function mayHaveBody(request: ClientRequestStream): boolean {
  if (request.httpVersionMajor === 2) return !(request as Http2ServerRequest).stream.endAfterHeaders;
  return (
    request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
  );
}
