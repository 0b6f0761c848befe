import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { createProxyServer } from 'http-proxy';
import type { ClientEnd } from '../exchange/client-end.ts';
import { proxyReply } from '../exchange/events.ts';
import { endWith } from '../exchange/relay-websocket.ts';
import { type ConnectionTarget, headerPairs } from '../upstream/open-request.ts';
import { outgoingHeaders } from '../upstream/outgoing-headers.ts';

/** A request in absolute form: where it goes, and the rest of its address. */
export interface PlainTarget {
  readonly target: ConnectionTarget;
  readonly path: string;
}

/** Node's ends of a request; `client` is the same for exchanges that are read. */
export interface PlainRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: ClientEnd;
}

/** Hands plain HTTP on to hosts that are not inspected, unread, by `http-proxy`. */
export interface HandOn {
  web(to: PlainTarget, plain: PlainRequest): void;
  upgrade(to: PlainTarget, request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A request on its way. The package changes headers; these are those that have to leave. */
interface Sending {
  readonly client: ClientEnd;
  readonly headers: OutgoingHttpHeaders;
  outgoing: ClientRequest | null;
}

export function createHandOn(agent: Agent): HandOn {
  const sendings = new WeakMap<IncomingMessage, Sending>();
  const proxy = createProxyServer({ agent, selfHandleResponse: true, ignorePath: true });
  // Each call reports its errors to its own callback.
  proxy.on('error', () => {});
  proxy.on('proxyReq', (outgoing, request) => {
    const sending = sendings.get(request);
    if (sending === undefined) return;
    sending.outgoing = outgoing;
    if (!outgoing.headersSent) restoreHeaders(outgoing, sending.headers);
  });
  proxy.on('proxyRes', (answer, request, response) => {
    const client = sendings.get(request)?.client;
    if (client !== undefined) relay(answer, response as ServerResponse, client);
  });

  function send(to: PlainTarget, plain: PlainRequest, mayRepeat: boolean): void {
    const { request, response, client } = plain;
    const headers = outgoingHeaders(request.rawHeaders, {});
    const sending: Sending = { client, headers, outgoing: null };
    sendings.set(request, sending);
    request.headers = { ...headers } as IncomingMessage['headers'];
    const fail = (error: NodeJS.ErrnoException): void => {
      // The host closed a kept-alive connection while we wrote: the request was not read.
      const isStale = sending.outgoing?.reusedSocket === true && error.code === 'ECONNRESET';
      if (response.headersSent) client.break();
      else if (isStale && mayRepeat) send(to, plain, false);
      else {
        const reason = error.code ?? error.message;
        client.reply(proxyReply(502, `${to.target.host} could not be reached (${reason}).`));
      }
    };
    try {
      proxy.web(request, response, { target: targetOf(to) }, fail);
    } catch (error) {
      fail(error as NodeJS.ErrnoException);
    }
  }

  return {
    web(to, plain) {
      const { request, client } = plain;
      if (client.head.expectsContinue) client.sendContinue();
      // Before the package ends the request.
      request.once('end', () => {
        const { rawTrailers } = request;
        if (rawTrailers.length > 0) sendings.get(request)?.outgoing?.addTrailers(headerPairs(rawTrailers));
      });
      send(to, plain, !client.head.hasBody);
    },
    upgrade(to, request, socket, head) {
      let isOpen = false;
      const headers = { ...outgoingHeaders(request.rawHeaders, { isUpgrade: true }) };
      // The package reads the kind of upgrade here, in lower case.
      if (headers['upgrade'] === undefined)
        Object.defineProperty(headers, 'upgrade', { value: 'websocket', enumerable: false });
      request.headers = headers as IncomingMessage['headers'];
      const fail = (): void => {
        if (!isOpen) endWith(socket, 502, 'Bad Gateway');
      };
      // From here on it carries messages.
      socket.once('pipe', () => {
        isOpen = true;
      });
      try {
        proxy.ws(request, socket, head, { target: targetOf(to) }, fail);
      } catch {
        fail();
      }
    },
  };
}

function targetOf({ target: { host, port }, path }: PlainTarget) {
  const [pathname = '/', ...search] = path.split(/(?=\?)/);
  return { protocol: 'http:', host, port, pathname, search: search.join('') };
}

/** The package adds a length to some requests and removes `Trailer`. What the agent adds for a company proxy stays. */
function restoreHeaders(outgoing: ClientRequest, due: OutgoingHttpHeaders): void {
  const names = outgoing.getRawHeaderNames();
  const isOwn = (name: string): boolean => Object.hasOwn(due, name);
  const wrong = names.filter((name) => !isOwn(name) && name.toLowerCase() === 'content-length');
  if (wrong.length === 0 && Object.keys(due).every((name) => names.includes(name))) return;
  for (const name of [...names.filter(isOwn), ...wrong]) outgoing.removeHeader(name);
  for (const [name, value] of Object.entries(due)) if (value !== undefined) outgoing.setHeader(name, value);
}

function relay(answer: IncomingMessage, response: ServerResponse, client: ClientEnd): void {
  const { statusCode: status = 502, statusMessage = '', rawHeaders, headers } = answer;
  try {
    client.respond(
      { status, statusMessage, rawHeaders, headers },
      [],
      headers['content-length'] === undefined,
    );
  } catch {
    // Node reads some heads that it does not write.
    answer.destroy();
    client.break();
    return;
  }
  answer.once('end', () => {
    if (answer.rawTrailers.length > 0) response.addTrailers(headerPairs(answer.rawTrailers));
  });
  pipeline(answer, response, (error) => {
    if (error != null) client.break();
  });
}
