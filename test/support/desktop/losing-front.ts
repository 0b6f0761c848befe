/** Stands before a service and loses answers: what was asked has been done there, and nobody here knows. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LosingFront {
  readonly address: string;
  /** Calls for this path get through, their answers do not, until it is called with null. */
  lose(path: string | null): void;
  /** How many answers were lost. */
  lost(): number;
  close(): Promise<void>;
}

export async function startLosingFront(service: string): Promise<LosingFront> {
  const { port } = new URL(service);
  const sockets = new Set<Socket>();
  let path: string | null = null;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    let isDoomed = false;
    client.on('data', (chunk) => {
      isDoomed = path !== null && chunk.includes(path);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!isDoomed) return client.write(chunk);
      lost++;
      client.destroy();
      upstream.destroy();
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(next) {
      path = next;
    },
    lost: () => lost,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
