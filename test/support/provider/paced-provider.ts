import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for a provider whose stream the test writes piece by piece. */
export interface PacedReply {
  /** Base address without `/v1`. */
  readonly url: string;
  write(piece: string | Buffer): void;
  end(piece?: string | Buffer): void;
  /** Closes the connection in the middle of the response. */
  breakOff(): void;
  /** Resolves when the client of the last request leaves before the end of the response. */
  readonly aborted: Promise<void>;
  /** Discards what was written, for the next request. */
  reset(): void;
  close(): Promise<void>;
}

/** Text written before the request arrives becomes the beginning of the response. */
export async function startPacedProvider(contentType = 'text/event-stream'): Promise<PacedReply> {
  let response: ServerResponse | null = null;
  let steps: ((to: ServerResponse) => void)[] = [];
  let left = Promise.withResolvers<void>();
  const server = createServer((request, to) => {
    request.resume().on('end', () => {
      to.writeHead(200, { 'content-type': contentType });
      to.flushHeaders();
      to.on('close', () => {
        if (!to.writableFinished) left.resolve();
      });
      response = to;
      for (const step of steps) step(to);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const act = (step: (to: ServerResponse) => void): void => {
    if (response === null) steps.push(step);
    else step(response);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    write: (piece) => act((to) => to.write(piece)),
    end: (piece) => act((to) => to.end(piece)),
    breakOff: () => act((to) => to.socket?.destroy()),
    get aborted() {
      return left.promise;
    },
    reset() {
      response = null;
      steps = [];
      left = Promise.withResolvers();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
