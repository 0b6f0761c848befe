import { openConnection } from './one-connection.ts';
import { quantile, type Summary, summarize } from './statistics.ts';
import type { Target } from './targets.ts';

export interface Latency {
  readonly target: string;
  /** One request at a time over one connection, in microseconds. */
  readonly p50Us: Summary;
  readonly p99Us: Summary;
}

/** Low load: request after request, `direct` (to the vendor itself) among the targets, in turns. */
export async function measureLatency(
  body: Buffer,
  targets: readonly (Pick<Target, 'url' | 'headers'> & { readonly name: string })[],
  options: { readonly rounds: number; readonly requests: number },
  note: (line: string) => void,
): Promise<Latency[]> {
  const p50 = targets.map((): number[] => []);
  const p99 = targets.map((): number[] => []);
  for (let round = 0; round <= options.rounds; round++) {
    note(`low load: ${round === 0 ? 'warm-up' : `round ${round} of ${options.rounds}`}`);
    for (const [index, target] of targets.entries()) {
      const connection = openConnection(target);
      const times: number[] = [];
      for (let i = 0; i < options.requests; i++) {
        const begun = performance.now();
        const { status } = await connection.post(body);
        times.push((performance.now() - begun) * 1000);
        if (status !== 200) throw new Error(`low load, ${target.name}: answered ${status}`);
      }
      await connection.close();
      if (round === 0) continue;
      p50[index]!.push(quantile(times, 0.5));
      p99[index]!.push(quantile(times, 0.99));
    }
  }
  return targets.map((target, index) => ({
    target: target.name,
    p50Us: summarize(p50[index]!),
    p99Us: summarize(p99[index]!),
  }));
}
