import { Client } from 'undici';
import type { Target } from './targets.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface Connection {
  post(body: Buffer): Promise<Answer>;
  close(): Promise<void>;
}

/** One kept-alive connection to a target. */
export function openConnection(target: Pick<Target, 'url' | 'headers'>): Connection {
  const url = new URL(target.url);
  const client = new Client(url.origin, { headersTimeout: 30_000, bodyTimeout: 30_000 });
  return {
    async post(body) {
      const answer = await client.request({
        method: 'POST',
        path: url.pathname,
        headers: { ...target.headers },
        body,
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: Buffer.from(await answer.body.arrayBuffer()),
      };
    },
    close: () => client.close(),
  };
}
