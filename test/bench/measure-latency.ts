import { openConnection } from './one-connection.ts';
import { quantile, type Summary, summarize } from './statistics.ts';
import type { Target } from './targets.ts';

export interface Latency {
  readonly target: string;
  /** One request at a time over one connection, in microseconds. */
  readonly p50Us: Summary;
  readonly p99Us: Summary;
}

/** The times of each round, in microseconds, by the target's name. */
export type LatencyRounds = Map<string, number[][]>;

/** Low load: request after request, `direct` (to the vendor itself) among the targets, in turns. */
export async function measureLatency(
  body: Buffer,
  targets: readonly (Pick<Target, 'url' | 'headers'> & { readonly name: string })[],
  options: { readonly rounds: number; readonly requests: number },
  note: (line: string) => void,
  into: LatencyRounds,
): Promise<void> {
  for (let round = 0; round <= options.rounds; round++) {
    note(`low load: ${round === 0 ? 'warm-up' : `round ${round} of ${options.rounds}`}`);
    for (const target of targets) {
      const connection = openConnection(target);
      const times: number[] = [];
      for (let i = 0; i < options.requests; i++) {
        const begun = performance.now();
        const { status } = await connection.post(body);
        times.push((performance.now() - begun) * 1000);
        if (status !== 200) throw new Error(`low load, ${target.name}: answered ${status}`);
      }
      await connection.close();
      if (round > 0) into.set(target.name, [...(into.get(target.name) ?? []), times]);
    }
  }
}

export function summarizeLatency(measured: LatencyRounds): Latency[] {
  return [...measured].map(([target, rounds]) => ({
    target,
    p50Us: summarize(rounds.map((times) => quantile(times, 0.5))),
    p99Us: summarize(rounds.map((times) => quantile(times, 0.99))),
  }));
}
