import { cpuUs, residentBytes } from './process-facts.ts';
import { runLoad } from './run-load.ts';
import { type Summary, summarize } from './statistics.ts';
import type { Target } from './targets.ts';
import type { Workload } from './workloads.ts';

export interface Throughput {
  readonly target: string;
  readonly perSecond: Summary;
  /** Of the target's process, user and system; null where there is no /proc. */
  readonly cpuUsPerRequest: Summary | null;
  /** Part of one core that the target used: under 0.9 something else was the bottleneck. */
  readonly busy: Summary | null;
  /** After the last round. */
  readonly residentMiB: number | null;
  /** Requests in all rounds; the warm-up is not among them. */
  readonly requests: number;
}

/** A workload over all targets, A B C A B C …, each warmed up first. Throws as soon as one answer is not 2xx. */
export async function measureThroughput(
  workload: Workload,
  targets: readonly Target[],
  options: { readonly rounds: number; readonly seconds: number; readonly warmUpSeconds: number },
  note: (line: string) => void,
): Promise<Throughput[]> {
  const rates = targets.map((): number[] => []);
  const cpus = targets.map((): number[] => []);
  const busy = targets.map((): number[] => []);
  const requests = targets.map(() => 0);
  for (let round = 0; round <= options.rounds; round++) {
    const isWarmUp = round === 0;
    note(`${workload.name}: ${isWarmUp ? 'warm-up' : `round ${round} of ${options.rounds}`}`);
    for (const [index, target] of targets.entries()) {
      const seconds = isWarmUp ? options.warmUpSeconds : options.seconds;
      const before = cpuUs(target.process.pid);
      const done = await runLoad({ ...workload, url: target.url, headers: target.headers, seconds });
      const after = cpuUs(target.process.pid);
      if (done.failed > 0 || done.requests === 0) {
        throw new Error(
          `${workload.name}, ${target.name}: ${done.failed} of ${done.requests} answers failed; the run does not count`,
        );
      }
      if (isWarmUp) continue;
      rates[index]!.push(done.requests / done.seconds);
      requests[index]! += done.requests;
      if (before === null || after === null) continue;
      cpus[index]!.push((after - before) / done.requests);
      busy[index]!.push((after - before) / 1_000_000 / done.seconds);
    }
  }
  return targets.map((target, index) => {
    const bytes = residentBytes(target.process.pid);
    return {
      target: target.name,
      perSecond: summarize(rates[index]!),
      cpuUsPerRequest: cpus[index]!.length === 0 ? null : summarize(cpus[index]!),
      busy: busy[index]!.length === 0 ? null : summarize(busy[index]!),
      residentMiB: bytes === null ? null : bytes / 1024 / 1024,
      requests: requests[index]!,
    };
  });
}
