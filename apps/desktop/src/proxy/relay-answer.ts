import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { pairsOf } from './body-bytes.ts';
import type { ClientResponse, UpstreamAnswer } from './forward-request.ts';
import { answerHeaders } from './outgoing-headers.ts';

export function isHttp2(response: ClientResponse): response is Http2ServerResponse {
  return 'stream' in response;
}

/**
 * A broken upstream is a broken download: the client must not take the part it got for the whole. On HTTP/2 the
 * stream is reset with an error; a closed one would look like its end.
 */
export function breakClient(response: ClientResponse): void {
  if (isHttp2(response)) {
    if (!response.stream.destroyed) response.stream.destroy(new Error('the upstream connection broke'));
  } else response.socket?.destroy();
}

/** Status and headers as the vendor sent them. `without`: names (lower case) that no longer hold. */
export function writeAnswerHead(
  response: ClientResponse,
  answer: UpstreamAnswer,
  without: readonly string[] = [],
): void {
  let headers = answerHeaders(answer.rawHeaders, isHttp2(response));
  if (without.length > 0) {
    headers = headers.filter((_, i) => !without.includes(headers[i - (i % 2)]!.toLowerCase()));
  }
  if (isHttp2(response)) {
    response.sendDate = false;
    response.writeHead(answer.status, headers as never);
  } else {
    (response as ServerResponse).sendDate = false;
    (response as ServerResponse).writeHead(answer.status, answer.statusMessage, headers);
  }
}

/** As it comes, to its end and its trailers, or to the point where it breaks. */
export function relayAnswer(answer: UpstreamAnswer, response: ClientResponse): void {
  writeAnswerHead(response, answer);
  // A stream whose first piece is late has begun all the same; what has a length goes out in one go with its head.
  if (answer.headers['content-length'] === undefined) (response as ServerResponse).flushHeaders();
  pipeToClient(answer.body, answer, response);
}

export function pipeToClient(
  body: Readable,
  answer: UpstreamAnswer,
  response: ClientResponse,
  /** Sees every piece before the client does; false ends the answer, the caller has written what there is to say. */
  watch?: (chunk: Buffer) => boolean,
): void {
  let hasEnded = false;
  body.once('error', () => breakClient(response));
  body.once('close', () => {
    if (!hasEnded && !response.writableEnded) breakClient(response);
  });
  body.once('end', () => {
    if (answer.isBroken()) return breakClient(response);
    hasEnded = true;
    try {
      const trailers = answer.rawTrailers();
      if (trailers.length > 0) addTrailers(response, trailers);
    } catch {
      return breakClient(response);
    }
    if (!response.writableEnded) response.end();
  });
  if (watch === undefined) {
    body.pipe(response, { end: false });
    return;
  }
  body.on('data', (chunk: Buffer) => {
    let mayPass: boolean;
    try {
      mayPass = watch(chunk);
    } catch {
      // What was not judged does not pass.
      answer.body.destroy();
      return breakClient(response);
    }
    if (!mayPass) {
      hasEnded = true;
      answer.body.destroy();
      return;
    }
    if (!(response as ServerResponse).write(chunk)) {
      body.pause();
      response.once('drain', () => body.resume());
    }
  });
}

function addTrailers(response: ClientResponse, raw: readonly string[]): void {
  if (isHttp2(response)) response.addTrailers(Object.fromEntries(pairsOf(raw)));
  else (response as ServerResponse).addTrailers(pairsOf(raw));
}

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The body unpacked, piece by piece; null where it is packed in an unknown way. */
export function unpackedBody(answer: UpstreamAnswer): Readable | null {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return answer.body;
  const unpack = UNPACKERS[encoding]?.();
  if (unpack === undefined) return null;
  answer.body.once('error', (error) => unpack.destroy(error));
  answer.body.once('close', () => {
    if (!answer.body.readableEnded) unpack.destroy(new Error('the upstream connection broke'));
  });
  return answer.body.pipe(unpack);
}
