/** A proxy before a service that loses or changes responses, like an attacker in between or a bad network. */
import { startTcpProxy, type TcpProxy } from '../start-tcp-proxy.ts';

export interface LossyProxy extends TcpProxy {
  /** Forwards calls of this path but drops their responses, until it is called with null. */
  lose(path: string | null): void;
  /** Replaces a text in every response from now on; both have the same length. */
  tamper(from: string, to: string): void;
  /** The number of lost responses. */
  lost(): number;
}

export async function startLossyProxy(service: string): Promise<LossyProxy> {
  const port = Number(new URL(service).port);
  let path: string | null = null;
  let lost = 0;
  let change: readonly [from: string, to: string] | null = null;
  const changed = (chunk: Buffer): Buffer =>
    change === null ? chunk : Buffer.from(chunk.toString('latin1').replaceAll(...change), 'latin1');
  const front = await startTcpProxy(
    () => port,
    (client, upstream) => {
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
    },
  );
  return {
    ...front,
    lose(next) {
      path = next;
    },
    tamper(from, to) {
      change = [from, to];
    },
    lost: () => lost,
  };
}
