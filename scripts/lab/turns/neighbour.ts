/** Small requests from a thread of their own: what heavy bodies cost their sender does not delay them. */
import { once } from 'node:events';
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';

export interface SmallRequest {
  /** In milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly status: number;
}

export interface Neighbour {
  /** Sends requests while the work is done, and returns all of them once they have ended. */
  during(work: () => Promise<unknown>): Promise<readonly SmallRequest[]>;
  close(): Promise<void>;
}

interface Options {
  readonly isNeighbour: true;
  readonly url: string;
  readonly key: string;
}

/** One begins in each of these periods, whether the one before it has ended or not. */
const PERIOD_MS = 25;
const BODY = JSON.stringify({ messages: [{ role: 'user', content: 'How is the weather today?' }] });

export async function startNeighbour(address: string, key: string): Promise<Neighbour> {
  const options: Options = { isNeighbour: true, url: `${address}/api/v1/guard`, key };
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  // It is ready.
  await once(worker, 'message');
  return {
    async during(work) {
      worker.postMessage('begin');
      await work();
      const sent = once(worker, 'message');
      worker.postMessage('end');
      return (await sent)[0] as SmallRequest[];
    },
    async close() {
      await worker.terminate();
    },
  };
}

function sendWhenAsked(port: MessagePort, { url, key }: Options): void {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const offsetMs = Date.now() - performance.now();
  const now = (): number => offsetMs + performance.now();
  const send = async (): Promise<SmallRequest> => {
    const fromMs = now();
    const status = await fetch(url, { method: 'POST', headers, body: BODY }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    return { fromMs, toMs: now(), status };
  };
  let sent: Promise<SmallRequest>[] = [];
  let timer: NodeJS.Timeout | undefined;
  port.on('message', async (question: 'begin' | 'end') => {
    if (question === 'begin') {
      sent.push(send());
      timer = setInterval(() => void sent.push(send()), PERIOD_MS);
      return;
    }
    clearInterval(timer);
    const ended = await Promise.all(sent);
    sent = [];
    port.postMessage(ended);
  });
  port.postMessage('ready');
}

const options = workerData as Options | null;
if (parentPort !== null && options?.isNeighbour === true) sendWhenAsked(parentPort, options);
