import { Pool } from 'undici';
import type { Target } from '../targets.ts';
import { NUMBER, type Workload } from '../workloads.ts';

/** Sends exactly so many requests, no two alike, over the workload's connections. Throws at the first answer that is not 200. */
export async function sendRequests(
  { url, headers, name }: Pick<Target, 'url' | 'headers'> & { readonly name: string },
  workload: Workload,
  requests: number,
): Promise<void> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connections: workload.connections,
    bodyTimeout: 60_000,
    headersTimeout: 60_000,
  });
  const at = workload.body.indexOf(NUMBER);
  let sent = 0;
  const send = async (): Promise<void> => {
    while (sent < requests) {
      const body = Buffer.from(workload.body);
      body.write(String(sent++).padStart(NUMBER.length, '0'), at);
      const answer = await pool.request({ method: 'POST', path: pathname, headers: { ...headers }, body });
      await answer.body.dump({ limit: 2 ** 20 });
      if (answer.statusCode !== 200)
        throw new Error(`${name}, ${workload.name}: answered ${answer.statusCode}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: workload.connections }, send));
  } finally {
    await pool.destroy();
  }
}
