import path from 'node:path';
import { runLoad } from './run-load.ts';
import { OTHER_CORES, TARGET_CORES } from './start-process.ts';
import { type Summary, summarize } from './statistics.ts';
import { startOurs } from './targets.ts';
import { type WarmUp, warmUp } from './warm-up.ts';
import { chatRequest } from './workloads.ts';

/** How long one turn of the event loop took at most, round by round, while prompts of 100,000 characters were scanned. */
export interface LoopBlocks {
  readonly longestMs: Summary;
  /** In all rounds. */
  readonly requests: number;
}

const CHARACTERS = 100_000;
const CONNECTIONS = 4;
/** A long text warms a process as much as so many short ones. */
const SHORT_ONES = 30;

/** Everything else of the service is as it comes: long texts go to its worker thread, which has a core if there is one. */
export async function measureBlocks(
  providerUrl: string,
  options: { readonly rounds: number; readonly seconds: number; readonly warmUp: WarmUp },
): Promise<LoopBlocks> {
  const preload = ['--import', path.join(import.meta.dirname, 'watch-loop.mjs')];
  const target = await startOurs(providerUrl, { cores: TARGET_CORES, nodeOptions: preload });
  const body = chatRequest(CHARACTERS);
  const { url, headers } = target;
  const load = { name: 'long scans', url, headers, body, connections: CONNECTIONS, cores: OTHER_CORES };
  /** Since it was asked last. */
  const longestBlock = async (): Promise<number> => {
    const printed = target.process.next(/longest block ([\d.]+) ms/);
    process.kill(target.process.pid, 'SIGUSR2');
    return Number((await printed)[1]);
  };
  try {
    await warmUp(load, { ...options.warmUp, requests: options.warmUp.requests / SHORT_ONES });
    await longestBlock();
    const longest: number[] = [];
    let requests = 0;
    for (let round = 0; round < options.rounds; round++) {
      const done = await runLoad({ ...load, seconds: options.seconds });
      longest.push(await longestBlock());
      requests += done.requests;
    }
    return { longestMs: summarize(longest), requests };
  } finally {
    await target.stop();
  }
}
