/**
 * A stand-in for a model provider on loopback: implements the five routes of OpenAI and Anthropic, returns the test's
 * responses and faults, and records every request byte for byte.
 * As a process of its own, for benchmarks: `node test/support/test-provider.ts --port 9000 --delay-ms 20`.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { ANSWER_FORMS, MODELS_ANTHROPIC, MODELS_OPENAI, type ResponseContent } from './provider/answers.ts';
import { FAULTS, type ProviderFault } from './provider/faults.ts';
import { findRoute, openaiError, type ProviderRoute, refuse } from './provider/routes.ts';
import { isStoredResponse, singleCall } from './provider/single-calls.ts';

export type { ResponseContent } from './provider/answers.ts';
export type { ProviderFault } from './provider/faults.ts';

export interface ProviderRequest {
  readonly method: string;
  /** As requested, with the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Identifies the connection; distinguishes reused ones from new ones. */
  readonly clientPort: number;
  /** `aborted`: the client left before the response was complete. */
  readonly ended: Promise<'answered' | 'aborted'>;
}

/** A response written by the test: sent unchanged, whatever the request; as JSON if it names no type. */
export interface RawReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** A list is written piece by piece, without a length. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
}
export type Script =
  | ResponseContent
  | RawReply
  | ((request: ProviderRequest, route: ProviderRoute | undefined) => ResponseContent | RawReply);

export interface TestProviderOptions {
  readonly port?: number;
  /** Waits this long before each response. */
  readonly delayMs?: number;
  /** False: records nothing (benchmarks). */
  readonly record?: boolean;
}

export interface TestProvider {
  /** Base address without `/v1`. */
  readonly url: string;
  readonly requests: readonly ProviderRequest[];
  /** Throws if there is none. */
  lastRequest(): ProviderRequest;
  /** The request after those that have arrived. */
  nextRequest(): Promise<ProviderRequest>;
  /** Sets the response from now on. */
  answer(script: Script): void;
  /** Sets the fault from now on. `refuse` closes the port until `reset`. */
  fault(fault: ProviderFault): Promise<void>;
  /** Holds every response from now on until the returned function is called. */
  hold(): () => void;
  /** Restores the usual responses, and clears the recorded requests. */
  reset(): Promise<void>;
  /** Closes idle connections, as a provider does after a while; resolves when both ends know. */
  dropIdle(): Promise<void>;
  close(): Promise<void>;
}

const USUAL: ResponseContent = { text: 'Hello! This is the stand-in provider. How can I help you today?' };

/** Repeats the last user text. */
export const echo: Script = (request) => ({ text: lastUserText(request) });

export async function startTestProvider(options: TestProviderOptions = {}): Promise<TestProvider> {
  let requests: ProviderRequest[] = [];
  let script: Script = USUAL;
  let fault: keyof typeof FAULTS | null = null;
  let waiting: ((request: ProviderRequest) => void)[] = [];
  let held: Promise<void> | undefined;
  let port = options.port ?? spare.shift() ?? 0;

  const server = createServer({ keepAliveTimeout: 60_000 }, async (req, res) => {
    const request = await receive(req, res);
    if (options.record !== false) {
      requests.push(request);
      for (const wake of waiting.splice(0)) wake(request);
    }
    const act = (): unknown => (fault === null ? send(res, answerTo(request, script)) : FAULTS[fault](res));
    if (held !== undefined) await held;
    if (options.delayMs) setTimeout(act, options.delayMs);
    else act();
  });
  // Some tests are about clients that leave partway.
  server.on('clientError', (_error, socket) => socket.destroy());
  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening').catch(async (error: NodeJS.ErrnoException) => {
      // Somebody else has taken the spare port.
      if (error.code !== 'EADDRINUSE' || options.port !== undefined) throw error;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    await settle();
  };
  await listen();

  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    lastRequest() {
      const last = requests.at(-1);
      if (last === undefined) throw new Error('the provider got no request');
      return last;
    },
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    answer(next) {
      script = next;
    },
    async fault(next) {
      if (next === 'refuse') await stop();
      else fault = next;
    },
    hold() {
      const gate = Promise.withResolvers<void>();
      held = gate.promise;
      return () => {
        held = undefined;
        gate.resolve();
      };
    },
    async reset() {
      requests = [];
      waiting = [];
      script = USUAL;
      fault = null;
      if (!server.listening) await listen();
    },
    async dropIdle() {
      server.closeIdleConnections();
      await settle();
    },
    async close() {
      await stop();
      if (options.port === undefined) spare.push(port);
    },
  };
}

/** Ports of closed stand-ins: the next one has the same address, so that it can share a gateway. */
const spare: number[] = [];

/** The address that the next stand-in will have, if there is one; nobody listens there now. */
export function spareProviderUrl(): string {
  return `http://127.0.0.1:${spare[0] ?? 9}`;
}

/** Two turns of the loop: one to close the sockets, one in which a client in this process notices. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function receive(req: IncomingMessage, res: ServerResponse): Promise<ProviderRequest> {
  const ended = new Promise<'answered' | 'aborted'>((resolve) => {
    res.on('close', () => resolve(res.writableFinished ? 'answered' : 'aborted'));
  });
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of req) chunks.push(chunk as Buffer);
  } catch {
    // The client left while sending; the received part is recorded.
  }
  return {
    method: req.method ?? '',
    url: req.url ?? '',
    headers: req.headers,
    rawHeaders: req.rawHeaders,
    body: Buffer.concat(chunks),
    clientPort: req.socket.remotePort ?? 0,
    ended,
  };
}

function answerTo(request: ProviderRequest, script: Script): RawReply {
  const path = request.url.split('?', 1)[0] ?? '';
  const route = findRoute(request.method, path);
  const says = typeof script === 'function' ? script(request, route) : script;
  if (isRaw(says)) return says;
  const isGemini = request.headers['x-goog-api-key'] !== undefined;
  const fixed = singleCall(request.method, isGemini ? path.replace('/v1/models', '/v1beta/models') : path);
  if (fixed !== undefined) return json({ status: 200, body: fixed });
  if (isStoredResponse(request.method, path)) return build('responses', false, says);
  if (route === undefined) return json(openaiError(404, 'not_found', null, `Unknown URL ${path}.`));
  // On Vertex AI the version is in the body.
  const refusal = path.endsWith('awPredict') ? null : refuse(route, request.headers);
  if (refusal !== null) return json(refusal);
  const anthropic = request.headers['anthropic-version'] !== undefined;
  if (route === 'models') return json({ status: 200, body: anthropic ? MODELS_ANTHROPIC : MODELS_OPENAI });
  if (route === 'count_tokens') return json({ status: 200, body: { input_tokens: 42 } });
  const stream = STREAM.test(request.body.toString('latin1'));
  return says === USUAL ? usual(route, stream) : build(route, stream, says);
}

const STREAM = /"stream"\s*:\s*true/;

function build(route: keyof typeof ANSWER_FORMS, stream: boolean, says: ResponseContent): RawReply {
  const form = ANSWER_FORMS[route];
  if (!stream) return json({ status: 200, body: form.whole(says) }, route);
  const type = { 'content-type': 'text/event-stream; charset=utf-8' };
  return { headers: { ...type, ...idHeaders(route) }, body: form.frames(says) };
}

/** Built once: a load test must not measure the provider. */
const usualReplies = new Map<string, RawReply>();
function usual(route: keyof typeof ANSWER_FORMS, stream: boolean): RawReply {
  const key = `${route} ${stream}`;
  let reply = usualReplies.get(key);
  if (reply === undefined) {
    reply = build(route, stream, USUAL);
    usualReplies.set(key, reply);
  }
  return reply;
}

function isRaw(says: ResponseContent | RawReply): says is RawReply {
  return 'body' in says || 'status' in says || 'headers' in says;
}

function send(res: ServerResponse, reply: RawReply): void {
  const body = reply.body ?? '';
  const whole = typeof body === 'string' || Buffer.isBuffer(body);
  const length = whole ? { 'content-length': Buffer.byteLength(body) } : {};
  res.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...length, ...reply.headers });
  if (whole) res.end(body);
  else {
    for (const piece of body) res.write(piece);
    res.end();
  }
}

function json(answer: { status: number; body: object }, route?: ProviderRoute): RawReply {
  return { status: answer.status, headers: idHeaders(route), body: JSON.stringify(answer.body) };
}

/** Request ids and rate limits with each provider's header names, and headers that no gateway should pass on. */
function idHeaders(route?: ProviderRoute): Record<string, string> {
  const own =
    route === 'messages'
      ? { 'request-id': 'req_provider_1', 'anthropic-ratelimit-requests-remaining': '49' }
      : {
          'x-request-id': 'req_provider_1',
          'x-ratelimit-remaining-requests': '4999',
          'openai-processing-ms': '7',
        };
  return { ...own, 'set-cookie': '__cf_bm=standin; Path=/', server: 'stand-in', 'x-ratelimit-limit': '5000' };
}

function lastUserText(request: ProviderRequest): string {
  const body = JSON.parse(request.body.toString('utf8')) as Record<string, unknown>;
  const input = body['messages'] ?? body['input'];
  if (typeof input === 'string') return input;
  const items = (Array.isArray(input) ? input : []) as { role?: string; content?: unknown }[];
  const content = items.findLast((item) => item.role === 'user')?.content ?? '';
  if (typeof content === 'string') return content;
  return (content as { text?: string }[]).map((part) => part.text ?? '').join(' ');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, 'delay-ms': { type: 'string', default: '0' } },
  });
  const testProvider = await startTestProvider({
    port: Number(values.port),
    delayMs: Number(values['delay-ms']),
    record: false,
  });
  console.log(`listening on ${testProvider.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void testProvider.close());
}
