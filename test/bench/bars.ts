import type { Results } from './results.ts';

export interface Bar {
  readonly what: string;
  /** null: could not be measured in this run. */
  readonly value: number | null;
  readonly unit: 'times' | 'µs/KB' | 'ms' | 'µs' | 'KiB';
  /** The figure that has to be reached, and the one that is meant to be. */
  readonly least: number;
  readonly meant: number;
  readonly better: 'higher' | 'lower';
}

/** The rows that this benchmark can measure, each as a ratio of one run or a figure of the engine or the storage. */
export function barsOf(results: Results): Bar[] {
  const rate = (workload: string, over: string, under: string): number | null =>
    ratio(
      results.throughput[workload]?.find((row) => row.target === over)?.perSecond.median,
      results.throughput[workload]?.find((row) => row.target === under)?.perSecond.median,
    );
  const cpu = (workload: string, over: string, under: string): number | null =>
    ratio(
      results.throughput[workload]?.find((row) => row.target === over)?.cpuUsPerRequest?.median,
      results.throughput[workload]?.find((row) => row.target === under)?.cpuUsPerRequest?.median,
    );
  const p50 = (name: string): number | undefined =>
    results.latency?.find((row) => row.target === name)?.p50Us.median;
  const added = (name: string): number | undefined => minus(p50(name), p50('direct'));
  const held = results.heldStreams?.find((row) => row.target === 'ours')?.kibPerStream ?? null;
  const higher = (what: string, value: number | null, least: number, meant: number): Bar => ({
    what,
    value,
    unit: 'times',
    least,
    meant,
    better: 'higher',
  });
  const lower = (
    what: string,
    value: number | null,
    unit: Bar['unit'],
    least: number,
    meant: number,
  ): Bar => ({
    what,
    value,
    unit,
    least,
    meant,
    better: 'lower',
  });
  const { engine } = results;
  return [
    higher('1 KB, requests/s against Portkey', rate('small', 'ours', 'portkey'), 4, 5),
    higher('1 KB, requests/s against bare', rate('small', 'ours', 'bare'), 0.5, 0.6),
    higher('1 KB, scan off, requests/s against bare', rate('small', 'ours, scan off', 'bare'), 0.8, 0.95),
    higher('20 KB, requests/s against Portkey', rate('large', 'ours', 'portkey'), 1.8, 2.5),
    lower('added p50 at low load against bare', ratio(added('ours'), added('bare')), 'times', 1.5, 1.3),
    lower(
      'added p50 at low load against Portkey',
      ratio(added('ours'), added('portkey')),
      'times',
      0.45,
      0.35,
    ),
    lower('50-chunk stream, CPU against bare', cpu('stream', 'ours', 'bare'), 'times', 1.2, 1),
    lower('engine, one direction, 10,000 characters', engine?.usPerKb['10000'] ?? null, 'µs/KB', 25, 12),
    lower('engine, growth from 10,000 to 100,000', engine?.growth ?? null, 'times', 1.3, 1.1),
    lower('engine, worst text of 100,000 characters', engine?.worst.ms ?? null, 'ms', 30, 15),
    lower('record of one request, CPU', results.record?.cpuUsPerRequest ?? null, 'µs', 30, 12),
    lower('idle held stream', held, 'KiB', 60, 45),
  ];
}

function ratio(over: number | undefined, under: number | undefined): number | null {
  return over === undefined || under === undefined ? null : over / under;
}

function minus(from: number | undefined, what: number | undefined): number | undefined {
  return from === undefined || what === undefined ? undefined : from - what;
}

export function standingOf(bar: Bar): 'meant' | 'reached' | 'short' | 'not measured' {
  if (bar.value === null) return 'not measured';
  const reaches = (due: number): boolean => (bar.better === 'higher' ? bar.value! >= due : bar.value! <= due);
  return reaches(bar.meant) ? 'meant' : reaches(bar.least) ? 'reached' : 'short';
}
