/** A gateway in a thread of its own, which measures how long its event loop was blocked at most. */
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { startGateway, type TestGatewayOptions } from '../support/gateway.ts';
import { referenceMs, threadCpuMs } from '../support/watch-turns.ts';

export interface GatewayThread {
  readonly address: string;
  readonly key: string;
  /** CPU time of its thread so far, in milliseconds. */
  cpuMs(): Promise<number>;
  /** Longest CPU time, in milliseconds, between two turns of the loop since the last call. */
  longestTurnMs(): Promise<number>;
  /** The CPU time that a known piece of work takes in that thread now: about 30 ms on an idle computer. */
  referenceMs(): Promise<number>;
  close(): Promise<void>;
}

type Question = 'cpu' | 'turns' | 'reference' | 'close';
const TICK_MS = 2;

export async function startGatewayThread(
  options: Pick<TestGatewayOptions, 'env' | 'providerUrl'>,
): Promise<GatewayThread> {
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  const ask = async <T>(question: Question | null): Promise<T> => {
    // Rejects if the thread fails, and removes its listeners.
    const answer = once(worker, 'message');
    if (question !== null) worker.postMessage(question);
    return (await answer)[0] as T;
  };
  const { address, key } = await ask<{ address: string; key: string }>(null);
  return {
    address,
    key,
    cpuMs: () => ask('cpu'),
    longestTurnMs: () => ask('turns'),
    referenceMs: () => ask('reference'),
    async close() {
      await ask('close');
      await worker.terminate();
    },
  };
}

async function serve(): Promise<void> {
  const gateway = await startGateway(workerData as TestGatewayOptions);
  await gateway.storage.subscriptions.set(gateway.account.accountId, { perMinute: 1_000_000 });
  let longest = 0;
  let last = threadCpuMs();
  setInterval(() => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, TICK_MS);
  const answers: Readonly<Record<Question, () => unknown>> = {
    cpu: threadCpuMs,
    turns: () => longest,
    reference: referenceMs,
    close: () => gateway.close(),
  };
  parentPort?.on('message', async (question: Question) => {
    parentPort?.postMessage(await answers[question]());
    longest = 0;
    last = threadCpuMs();
  });
  parentPort?.postMessage({ address: gateway.address, key: gateway.key });
}

if (parentPort !== null && workerData !== null) await serve();
