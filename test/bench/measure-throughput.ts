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
export type ThroughputRounds = Map<string, Round[]>;

interface Round {
  readonly perSecond: number;
  readonly cpuUs: number | null;
  readonly seconds: number;
  readonly requests: number;
  readonly residentBytes: number | null;
}

/** A workload over all targets, A B C A B C …, each warmed up first (`change`: one whose process is warm already). Throws as soon as one answer is not 2xx. */
export async function measureThroughput(
  workload: Workload,
  targets: readonly Target[],
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
  for (const target of targets) {
    const { pid } = target.process;
    await warmUp(loadOf(workload, target), warm.has(pid) ? options.change : options.warmUp);
    warm.add(pid);
  }
  for (let round = 1; round <= options.rounds; round++) {
    note(`${workload.name}: round ${round} of ${options.rounds}`);
    for (const target of targets) {
      const measured = await measureRound(workload, target, options.seconds);
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
    const timed = rounds.filter((round) => round.cpuUs !== null);
    const bytes = rounds.at(-1)?.residentBytes ?? null;
    return {
      target,
      perSecond: summarize(rounds.map((round) => round.perSecond)),
      cpuUsPerRequest:
        timed.length === 0 ? null : summarize(timed.map((round) => round.cpuUs! / round.requests)),
      busy:
        timed.length === 0 ? null : summarize(timed.map((round) => round.cpuUs! / 1_000_000 / round.seconds)),
      residentMiB: bytes === null ? null : bytes / 1024 / 1024,
      requests: rounds.reduce((sum, round) => sum + round.requests, 0),
    };
  });
}
