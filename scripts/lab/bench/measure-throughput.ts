import { cpuUs, residentBytes } from './process-facts.ts';
import { type Load, runLoad } from './run-load.ts';
import { type Summary, summarize } from './statistics.ts';
import type { Target } from './targets.ts';
import { type WarmUp, warmUp } from './warm-up.ts';
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

/** What was measured of one workload, round by round, by the target's name. */
export type ThroughputRounds = Map<string, (Round | null)[]>;

interface Round {
  readonly perSecond: number;
  readonly cpuUs: number | null;
  readonly seconds: number;
  readonly requests: number;
  readonly residentBytes: number | null;
}

/** Who takes part, and in every which round. */
export interface Entrant<T = Target> {
  readonly target: T;
  readonly every: number;
}

/** A workload over all targets, A B C A B C …, each warmed up first (`change`: one whose process is warm already). Throws as soon as one answer is not 2xx. */
export async function measureThroughput(
  workload: Workload,
  entrants: readonly Entrant[],
  options: {
    readonly rounds: number;
    readonly seconds: number;
    readonly warmUp: WarmUp;
    readonly change: WarmUp;
  },
  note: (line: string) => void,
  into: ThroughputRounds,
): Promise<void> {
  note(`${workload.name}: warm-up`);
  const warm = new Set<number>();
  for (const { target } of entrants) {
    const { pid } = target.process;
    await warmUp(loadOf(workload, target), warm.has(pid) ? options.change : options.warmUp);
    warm.add(pid);
  }
  note(`${workload.name}: ${options.rounds} rounds`);
  for (let round = 0; round < options.rounds; round++) {
    for (const { target, every } of entrants) {
      const measured = round % every === 0 ? await measureRound(workload, target, options.seconds) : null;
      into.set(target.name, [...(into.get(target.name) ?? []), measured]);
    }
  }
}

function loadOf(workload: Workload, { name, url, headers }: Target): Omit<Load, 'seconds'> {
  return { ...workload, name: `${workload.name}, ${name}`, url, headers };
}

async function measureRound(workload: Workload, target: Target, seconds: number): Promise<Round> {
  const { pid } = target.process;
  const before = cpuUs(pid);
  const done = await runLoad({ ...loadOf(workload, target), seconds });
  const after = cpuUs(pid);
  return {
    perSecond: done.requests / done.seconds,
    cpuUs: before === null || after === null ? null : after - before,
    seconds: done.seconds,
    requests: done.requests,
    residentBytes: residentBytes(pid),
  };
}

export function summarizeThroughput(measured: ThroughputRounds): Throughput[] {
  return [...measured].map(([target, rounds]) => {
    const taken = rounds.filter((round) => round !== null);
    const hasCpu = taken.every((round) => round.cpuUs !== null);
    const each = (figure: (round: Round) => number): Summary =>
      summarize(rounds.map((round) => (round === null ? null : figure(round))));
    const bytes = taken.at(-1)?.residentBytes ?? null;
    return {
      target,
      perSecond: each((round) => round.perSecond),
      cpuUsPerRequest: hasCpu ? each((round) => round.cpuUs! / round.requests) : null,
      busy: hasCpu ? each((round) => round.cpuUs! / 1_000_000 / round.seconds) : null,
      residentMiB: bytes === null ? null : bytes / 1024 / 1024,
      requests: taken.reduce((sum, round) => sum + round.requests, 0),
    };
  });
}
