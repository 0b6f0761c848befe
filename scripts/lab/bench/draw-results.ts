import { drawBars } from '../charts/draw-bars.ts';
import type { Results } from './results.ts';
import { WORKLOADS } from './workloads.ts';

/** The pictures of docs/benchmarks/README.md, by file name. */
export function drawResults(results: Results): Record<string, string> {
  const pictures: Record<string, string> = {};
  for (const workload of Object.values(WORKLOADS)) {
    const rows = results.throughput[workload.name];
    if (rows === undefined) continue;
    pictures[`${workload.name}.svg`] = drawBars(
      `${workload.about}: requests per second on one core`,
      rows.map((row) => barOf(row.target, row.perSecond.median)),
    );
  }
  const { latency, heldStreams, engine } = results;
  const direct = latency?.find((row) => row.target === 'direct')?.p50Us.median;
  if (latency && direct !== undefined) {
    const added = latency.filter((row) => row.target !== 'direct');
    pictures['low-load.svg'] = drawBars(
      'One request at a time, 1 KB: added time, median, microseconds',
      added.map((row) => barOf(row.target, row.p50Us.median - direct)),
    );
  }
  if (heldStreams && heldStreams.length > 0) {
    pictures['held.svg'] = drawBars(
      'A stream that waits for its provider: KiB of memory',
      heldStreams.map((row) => barOf(row.target, row.kibPerStream)),
      { digits: 1 },
    );
  }
  if (engine) {
    pictures['worst-texts.svg'] = drawBars(
      'Texts of 100,000 characters made to be slow: milliseconds to scan',
      Object.entries(engine.hostileMs)
        .sort((a, b) => b[1] - a[1])
        .map(([label, value]) => ({ label, value, isOurs: true })),
      { digits: 1 },
    );
  }
  return pictures;
}

function barOf(label: string, value: number) {
  return { label, value, isOurs: label.startsWith('ours') };
}
