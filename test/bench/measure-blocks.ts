import path from 'node:path';
import { runLoad } from './run-load.ts';
import { OTHER_CORES, TARGET_CORES } from './start-process.ts';
import { type Summary, summarize } from './statistics.ts';
import { startOurs } from './targets.ts';
import { chatRequest } from './workloads.ts';

/** How long one turn of the event loop took at most, round by round, while prompts of 100,000 characters were scanned. */
export interface LoopBlocks {
  readonly longestMs: Summary;
  /** In all rounds. */
  readonly requests: number;
}

const CHARACTERS = 100_000;
const CONNECTIONS = 4;

/** Everything else of the service is as it comes: long texts go to its worker thread, which has a core if there is one. */
export async function measureBlocks(
  vendorUrl: string,
  options: { readonly rounds: number; readonly seconds: number; readonly startSeconds: number },
): Promise<LoopBlocks> {
  const preload = ['--import', path.join(import.meta.dirname, 'watch-loop.mjs')];
  const target = await startOurs(vendorUrl, { cores: TARGET_CORES, nodeOptions: preload });
  const body = chatRequest(CHARACTERS);
  const load = { url: target.url, headers: target.headers, body, connections: CONNECTIONS };
  try {
    const longest: number[] = [];
    let requests = 0;
    for (let round = 0; round <= options.rounds; round++) {
      const seconds = round === 0 ? options.startSeconds : options.seconds;
      const done = await runLoad({ ...load, seconds, cores: OTHER_CORES });
      if (done.failed > 0) throw new Error(`long scans: ${done.failed} of ${done.requests} answers failed`);
      const printed = target.process.next(/longest block ([\d.]+) ms/);
      process.kill(target.process.pid, 'SIGUSR2');
      const block = Number((await printed)[1]);
      if (round === 0) continue;
      longest.push(block);
      requests += done.requests;
    }
    return { longestMs: summarize(longest), requests };
  } finally {
    await target.stop();
  }
}
