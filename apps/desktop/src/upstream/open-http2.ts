import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { type Http1Pool, openHttp1 } from './open-http1.ts';
import type {
  HttpHeaders,
  OpenUpstream,
  UpstreamEvents,
  UpstreamHead,
  UpstreamRequest,
} from './open-request.ts';
import { outgoingHeaders2, trailers2 } from './outgoing-headers.ts';
import type { UpstreamPool } from './upstream-pool.ts';

/** RFC 9113 section 7. The provider has not processed a refused stream. */
const REFUSED_STREAM = 7;
const CANCEL = 8;

/** Opens requests on the connections of the pool, in the client's version of HTTP. */
export function createOpenUpstream(pool: Http1Pool & Pick<UpstreamPool, 'session'>): OpenUpstream {
  return (head, events) => (head.isHttp2 ? openHttp2 : openHttp1)(pool, head, events);
}

/** Uses the session of this host once it is open; earlier writes wait. */
function openHttp2(
  pool: Http1Pool & Pick<UpstreamPool, 'session'>,
  head: UpstreamHead,
  events: UpstreamEvents,
): UpstreamRequest {
  const { host, port } = head.target;
  const waiting: Uint8Array[] = [];
  let trailers: readonly string[] | null = null;
  let request: UpstreamRequest | null = null;
  let isPaused = false;
  let isAborted = false;

  function begin(opened: UpstreamRequest): void {
    request = opened;
    for (const bytes of waiting.splice(0)) opened.write(bytes);
    if (isPaused) opened.pause();
    if (trailers !== null) opened.end(trailers);
    else events.drain();
  }

  pool
    .session(host, port)
    .then((session) => {
      if (!isAborted) begin(openStream(session, head, events));
    })
    .catch((error: NodeJS.ErrnoException) => {
      if (isAborted) return;
      // The provider supported HTTP/2 when the client's version was negotiated.
      if (error.code === 'NO_H2') begin(openHttp1(pool, head, events));
      else events.error({ code: error.code ?? error.message, mayRepeat: false });
    });

  return {
    write(bytes) {
      if (request !== null) return request.write(bytes);
      waiting.push(bytes);
      return false;
    },
    end(last) {
      trailers = last;
      request?.end(last);
    },
    pause() {
      isPaused = true;
      request?.pause();
    },
    resume() {
      isPaused = false;
      request?.resume();
    },
    abort() {
      isAborted = true;
      request?.abort();
    },
  };
}

/** Throws if the head cannot be sent over HTTP/2. */
function openStream(
  session: ClientHttp2Session,
  head: UpstreamHead,
  events: UpstreamEvents,
): UpstreamRequest {
  const { method, path, rawHeaders, changes } = head;
  const stream: ClientHttp2Stream = session.request(outgoingHeaders2(rawHeaders, { ...changes, path }), {
    endStream: false,
    waitForTrailers: rawHeaders.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'trailer'),
  });
  let own: readonly string[] = [];
  let theirs: readonly string[] = [];
  let hasHead = false;
  let isOver = false;
  const fail = (code: string): void => {
    if (isOver) return;
    isOver = true;
    const isUnread = stream.rstCode === REFUSED_STREAM || code === 'ERR_HTTP2_GOAWAY_SESSION';
    events.error({ code, mayRepeat: !hasHead && (isUnread || method === 'GET' || method === 'HEAD') });
  };
  stream.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  stream.on('close', () => fail('ECONNRESET'));
  stream.on('drain', events.drain);
  stream.on('wantTrailers', () => stream.sendTrailers(trailers2(own)));
  stream.on('trailers', (_headers, _flags, raw?: string[]) => {
    theirs = raw ?? [];
  });
  stream.on('response', (headers, _flags, raw?: string[]) => {
    if (isOver) return;
    hasHead = true;
    const status = Number(headers[':status'] ?? 502);
    events.response({ status, statusMessage: '', rawHeaders: raw ?? [], headers: headers as HttpHeaders });
  });
  stream.on('data', (bytes: Buffer) => {
    if (!isOver) events.bytes(bytes);
  });
  stream.on('end', () => {
    // A reset stream also emits `end`, like a complete one.
    if (isOver || stream.rstCode !== 0) return;
    isOver = true;
    events.end(theirs);
  });
  return {
    write: (bytes) => stream.destroyed || stream.write(bytes),
    end(trailers) {
      own = trailers;
      stream.end();
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    abort() {
      isOver = true;
      if (!stream.closed) stream.close(CANCEL);
    },
  };
}
