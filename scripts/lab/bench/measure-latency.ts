import type { Entrant } from './measure-throughput.ts';
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
export type LatencyRounds = Map<string, (number[] | null)[]>;

type Addressed = Pick<Target, 'url' | 'headers'> & { readonly name: string };

/** Low load: request after request, `direct` (to the provider itself) among the targets, in turns after a warm-up. */
export async function measureLatency(
  body: Buffer,
  entrants: readonly Entrant<Addressed>[],
  options: { readonly rounds: number; readonly requests: number },
  note: (line: string) => void,
  into: LatencyRounds,
): Promise<void> {
  note(`low load: ${options.rounds} rounds`);
  for (const { target } of entrants) await timeRequests(target, body, options.requests);
  for (let round = 0; round < options.rounds; round++) {
    for (const { target, every } of entrants) {
      const times = round % every === 0 ? await timeRequests(target, body, options.requests) : null;
      into.set(target.name, [...(into.get(target.name) ?? []), times]);
    }
  }
}

/** Microseconds of each, over one connection. */
async function timeRequests(target: Addressed, body: Buffer, requests: number): Promise<number[]> {
  const connection = openConnection(target);
  const times: number[] = [];
  for (let i = 0; i < requests; i++) {
    const begun = performance.now();
    const { status } = await connection.post(body);
    times.push((performance.now() - begun) * 1000);
    if (status !== 200) throw new Error(`low load, ${target.name}: answered ${status}`);
  }
  await connection.close();
  return times;
}

export function summarizeLatency(measured: LatencyRounds): Latency[] {
  return [...measured].map(([target, rounds]) => ({
    target,
    p50Us: summarize(rounds.map((times) => times && quantile(times, 0.5))),
    p99Us: summarize(rounds.map((times) => times && quantile(times, 0.99))),
  }));
}
