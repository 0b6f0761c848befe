import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FAULTS } from '../../../test/support/provider/faults.ts';
import { ANSWER, CHUNKS } from '../bench/answers.ts';
import type { ProviderBehavior } from './kinds.ts';

export interface SoakProvider {
  readonly url: string;
  /** Resolves when the request with the mark has arrived. */
  arrival(mark: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a provider whose behavior is selected by the model's name. */
export async function startSoakProvider(): Promise<SoakProvider> {
  const awaited = new Map<string, () => void>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const behavior = (/"model":"soak-([a-z-]+)"/.exec(body)?.[1] ?? 'answer') as ProviderBehavior;
      const mark = /mark-\d+/.exec(body)?.[0] ?? '';
      awaited.get(mark)?.();
      awaited.delete(mark);
      if (behavior !== 'answer') return FAULTS[behavior](response);
      if (!body.includes('"stream":true')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const chunk of CHUNKS) response.write(chunk);
      response.end();
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrival: (mark) => new Promise((resolve) => awaited.set(mark, resolve)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
