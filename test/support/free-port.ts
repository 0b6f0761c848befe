import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that the system gives to outgoing connections: none of those takes it while its server is down. */
const [FIRST, LAST] = [20_000, 32_000];
const ATTEMPTS = 5;

/** A port on loopback for a server that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

/** Starts a server on a free port, and on another one if it does not start: a second program may have taken the first. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
