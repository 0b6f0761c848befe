import type { Throughput } from './measure-throughput.ts';
import type { Results } from './results.ts';
import { ratioByRound } from './statistics.ts';
import type { TargetName } from './targets.ts';

export interface Bar {
  readonly what: string;
  /** null: could not be measured in this run. */
  readonly value: number | null;
  /** The same from CPU time alone: what would hold where nothing but the target's core is short. */
  readonly byCpu: number | null;
  readonly unit: 'times' | 'µs/KB' | 'ms' | 'µs' | 'KiB';
  /** The figure that has to be reached, and the one that is meant to be. */
  readonly least: number;
  readonly meant: number;
  readonly better: 'higher' | 'lower';
}

/** The rows that this benchmark can measure, each as a ratio of one run or a figure of the engine or the storage. */
export function barsOf(results: Results): Bar[] {
  const { engine, record } = results;
  const held = results.heldStreams?.find((row) => row.target === 'ours')?.kibPerStream ?? null;
  const stream = cpuRatio(results, 'stream', 'ours', 'bare');
  return [
    rate('1 KB, requests/s against Portkey', results, 'small', 'ours', 'portkey', 4, 5),
    rate('1 KB, requests/s against bare', results, 'small', 'ours', 'bare', 0.5, 0.6),
    rate('1 KB, scan off, requests/s against bare', results, 'small', 'ours, scan off', 'bare', 0.8, 0.95),
    rate('20 KB, requests/s against Portkey', results, 'large', 'ours', 'portkey', 1.8, 2.5),
    cost('added p50 at low load against bare', addedRatio(results, 'ours', 'bare'), 'times', 1.5, 1.3),
    cost(
      'added p50 at low load against Portkey',
      addedRatio(results, 'ours', 'portkey'),
      'times',
      0.45,
      0.35,
    ),
    cost('50-chunk stream, CPU against bare', stream, 'times', 1.2, 1),
    cost('engine, one direction, 10,000 characters', engine?.usPerKb['10000'] ?? null, 'µs/KB', 25, 12),
    cost('engine, growth from 10,000 to 100,000', engine?.growth ?? null, 'times', 1.3, 1.1),
    cost('engine, worst text of 100,000 characters', engine?.worst.ms ?? null, 'ms', 30, 15),
    cost('record of one request, CPU', record?.cpuUsPerRequest ?? null, 'µs', 30, 12),
    cost('idle held stream', held, 'KiB', 60, 45),
    cost('longest event-loop block under long scans', results.blocks?.longestMs.median ?? null, 'ms', 10, 5),
    replicas(results),
    cost('desktop proxy, 1 KB, CPU against mockttp', desktopRatio(results), 'times', 0.45, 0.35),
    cost('guarded chat on a device, CPU against http-proxy-3', guardedRatio(results), 'times', 1.8, 1.3),
  ];
}

function rate(
  what: string,
  results: Results,
  workload: string,
  over: TargetName,
  under: TargetName,
  least: number,
  meant: number,
): Bar {
  const perSecond = (name: TargetName) => rowOf(results, workload, name)?.perSecond.rounds;
  return {
    what,
    value: ratioByRound(perSecond(over), perSecond(under)),
    // Twice the work for the same CPU is what half the CPU for the same work is.
    byCpu: cpuRatio(results, workload, under, over),
    unit: 'times',
    least,
    meant,
    better: 'higher',
  };
}

function replicas({ replicas }: Results): Bar {
  return {
    what: 'two processes on PostgreSQL + Redis against one on SQLite',
    value: ratioByRound(replicas?.twoPerSecond.rounds, replicas?.onePerSecond.rounds),
    byCpu: null,
    unit: 'times',
    least: 0.6,
    meant: 0.8,
    better: 'higher',
  };
}

function cost(what: string, value: number | null, unit: Bar['unit'], least: number, meant: number): Bar {
  return { what, value, byCpu: null, unit, least, meant, better: 'lower' };
}

function rowOf(results: Results, workload: string, name: TargetName): Throughput | undefined {
  return results.throughput[workload]?.find((row) => row.target === name);
}

function cpuRatio(results: Results, workload: string, over: TargetName, under: TargetName): number | null {
  const cpu = (name: TargetName) => rowOf(results, workload, name)?.cpuUsPerRequest?.rounds;
  return ratioByRound(cpu(over), cpu(under));
}

/** Of the time that each adds to the provider's own in the same round. */
function addedRatio({ latency }: Results, over: TargetName, under: TargetName): number | null {
  const p50 = (name: string) => latency?.find((row) => row.target === name)?.p50Us.rounds;
  const direct = p50('direct');
  const added = (name: TargetName) =>
    p50(name)?.map((us, round) => {
      const own = direct?.[round] ?? null;
      return us === null || own === null ? null : us - own;
    });
  return ratioByRound(added(over), added(under));
}

function guardedRatio({ desktop }: Results): number | null {
  return ratioByRound(desktop?.guardedUs?.rounds, desktop?.httpProxyUs?.rounds);
}

function desktopRatio({ desktop }: Results): number | null {
  return ratioByRound(desktop?.oursUs.rounds, desktop?.mockttpUs?.rounds);
}

/** Two runs tell the same where what they say differs by no more than this part. */
const ALIKE = 0.15;

/** How one figure came out in two runs; `isAlike` is asked of ratios alone: plain times are those of the hour. */
export interface Comparison {
  readonly what: string;
  readonly before: number;
  readonly isAlike: boolean | null;
}

/** What two runs have both measured. Empty where the machines are not of a kind. */
export function compareRuns(results: Results, before: Results | null): Comparison[] {
  const isSameKind = (['cpu', 'cores'] as const).every(
    (fact) => before?.machine[fact] === results.machine[fact],
  );
  if (before === null || !isSameKind) return [];
  const earlier = new Map(barsOf(before).map((bar) => [bar.what, bar.value]));
  return barsOf(results).flatMap(({ what, value, unit }) => {
    const other = earlier.get(what) ?? null;
    if (value === null || other === null) return [];
    const isAlike = unit === 'times' ? Math.max(value, other) <= Math.min(value, other) * (1 + ALIKE) : null;
    return [{ what, before: other, isAlike }];
  });
}

/** Of a bar that was measured. */
export function standingOf(bar: Bar): 'meant' | 'reached' | 'short' {
  const value = bar.value ?? Number.NaN;
  const reaches = (due: number): boolean => (bar.better === 'higher' ? value >= due : value <= due);
  return reaches(bar.meant) ? 'meant' : reaches(bar.least) ? 'reached' : 'short';
}
