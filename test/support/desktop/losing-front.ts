/** Stands before a service and loses answers, or changes them: somebody in between, or a network that is bad. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LosingFront {
  readonly address: string;
  /** Calls for this path get through, their answers do not, until it is called with null. */
  lose(path: string | null): void;
  /** In every answer from now on; both of the same length. */
  tamper(from: string, to: string): void;
  /** How many answers were lost. */
  lost(): number;
  close(): Promise<void>;
}

export async function startLosingFront(service: string): Promise<LosingFront> {
  const { port } = new URL(service);
  const sockets = new Set<Socket>();
  let path: string | null = null;
  let lost = 0;
  let change: readonly [from: string, to: string] | null = null;
  const changed = (chunk: Buffer): Buffer =>
    change === null ? chunk : Buffer.from(chunk.toString('latin1').replaceAll(...change), 'latin1');
  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    let isDoomed = false;
    client.on('data', (chunk) => {
      isDoomed = path !== null && chunk.includes(path);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!isDoomed) return client.write(changed(chunk));
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
    tamper(from, to) {
      change = [from, to];
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
