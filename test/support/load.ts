/**
 * Load from a process of its own: `node test/support/load.ts '{"url": …, "headers": …, "body": …, "connections": 400,
 * "amount": 4000}'` posts the body this many times, and prints the responses and how long each took.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'undici';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Each sends its next request as soon as it has a response, or when Retry-After allows. */
  readonly connections: number;
  readonly amount: number;
}

export interface LoadResult {
  /** Milliseconds of all responses, sorted, by status; 0 stands for none. */
  readonly ms: Readonly<Record<number, readonly number[]>>;
  /** Responses with Retry-After, by status. */
  readonly retryAfter: Readonly<Record<number, number>>;
}

const run = promisify(execFile);

export async function runLoad(load: Load): Promise<LoadResult> {
  const { stdout } = await run(process.execPath, [fileURLToPath(import.meta.url), JSON.stringify(load)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as LoadResult;
}

async function press({ url, headers, body, connections, amount }: Load): Promise<LoadResult> {
  const { origin, pathname } = new URL(url);
  const ms: Record<number, number[]> = {};
  const retryAfter: Record<number, number> = {};
  const clients = Array.from({ length: connections }, () => new Client(origin, { headersTimeout: 0 }));
  // More than the listener's queue at the same time would wait for seconds before they connect.
  for (let n = 0; n < connections; n += 50) await Promise.all(clients.slice(n, n + 50).map(connect));
  let left = amount;
  const send = async (client: Client): Promise<void> => {
    while (left-- > 0) {
      const startedMs = performance.now();
      let status = 0;
      let pauseS = 0;
      try {
        const answer = await client.request({ path: pathname, method: 'POST', headers, body });
        await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
        status = answer.statusCode;
        pauseS = Number(answer.headers['retry-after'] ?? 0);
      } catch {
        // Reported as status 0.
      }
      const list = ms[status] ?? [];
      ms[status] = list;
      list.push(performance.now() - startedMs);
      if (pauseS === 0) continue;
      retryAfter[status] = (retryAfter[status] ?? 0) + 1;
      await sleep(1000 * pauseS);
    }
  };
  await Promise.all(clients.map(send));
  await Promise.all(clients.map((client) => client.close()));
  for (const list of Object.values(ms)) list.sort((a, b) => a - b);
  return { ms, retryAfter };
}

async function connect(client: Client): Promise<void> {
  const { body } = await client.request({ path: '/version', method: 'GET' });
  await body.dump();
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await press(JSON.parse(process.argv[2] ?? '') as Load)));
}
