import { median } from '../bench/statistics.ts';

/** One measurement of the process. */
export interface Sample {
  readonly residentMiB: number;
  readonly heapMiB: number;
  readonly files: number;
  readonly handles: number;
  readonly loopP99Ms: number;
}

export async function takeSample(address: string): Promise<Sample> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    residentMiB: read('process_resident_memory_bytes') / 1024 ** 2,
    heapMiB: read('nodejs_heap_size_used_bytes') / 1024 ** 2,
    files: read('process_open_fds'),
    handles: read('nodejs_active_handles_total'),
    loopP99Ms: read('nodejs_eventloop_lag_p99_seconds') * 1_000,
  };
}

export type SampleField = keyof Sample;

export interface Trend {
  readonly field: SampleField;
  /** Medians of the first and the last third. */
  readonly first: number;
  readonly last: number;
  readonly highest: number;
}

const FIELDS: readonly SampleField[] = ['residentMiB', 'heapMiB', 'files', 'handles', 'loopP99Ms'];

export function trendsOf(samples: readonly Sample[]): Trend[] {
  const third = Math.ceil(samples.length / 3);
  return FIELDS.map((field) => {
    const values = samples.map((sample) => sample[field]);
    return {
      field,
      first: median(values.slice(0, third)),
      last: median(values.slice(-third)),
      highest: Math.max(...values),
    };
  });
}

/** Allowed growth: a tenth of memory, or a tenth and twenty more of open files. */
const GROWTH = 1.1;
const MORE_OPEN = 20;

/** Returns sentences about values that grew. The load of the event loop is reported but not checked. */
export function growthProblems(trends: readonly Trend[]): string[] {
  return trends.flatMap(({ field, first, last }) => {
    if (field === 'loopP99Ms') return [];
    const max = first * GROWTH + (field === 'files' || field === 'handles' ? MORE_OPEN : 0);
    return last <= max ? [] : [`${field} grew from ${first.toFixed(1)} to ${last.toFixed(1)}`];
  });
}
