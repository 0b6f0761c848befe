import assert from 'node:assert/strict';

/** Below this the resolution of the clock would distort a ratio. */
const MIN_MS = 2;
const FACTOR = 10;
/** Four times linear cost, and less than half of quadratic cost. */
const MAX_RATIO = 40;
const TURNS = 5;

/**
 * True while V8 counts what runs (`npm test -- --record`): that multiplies the time of some code more than of other, so
 * that no bound says anything.
 */
export const isCounted = (process.env['NODE_V8_COVERAGE'] ?? '') !== '';

/**
 * CPU time of this thread for `run`, the least of several turns, so that a busy computer does not look like a slow
 * program.
 */
export function cpuMs(run: () => unknown, turns = TURNS): number {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turns; turn++) {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/**
 * Fails if `run` takes more CPU time than `boundMs`, which is far above the measured time: catches quadratic growth. On
 * a slow computer the bound is `ratio` times the CPU time of `harmless`, which a fast one spends `boundMs / ratio` on.
 */
export function assertBounded(
  cases: Iterable<readonly [name: string, run: () => unknown]>,
  { boundMs, ratio, harmless }: { boundMs: number; ratio: number; harmless: () => unknown },
): void {
  harmless();
  for (const [name, run] of cases) {
    if (isCounted) {
      run();
      continue;
    }
    let [ms, mostMs] = [Number.POSITIVE_INFINITY, boundMs];
    for (let turn = 0; turn < TURNS && ms >= mostMs; turn++) {
      // Both in each turn: the speed of a busy computer changes between the first case and the last.
      mostMs = Math.max(boundMs, cpuMs(harmless, 1) * ratio);
      ms = cpuMs(run, 1);
    }
    assert.ok(ms < mostMs, `${name}: ${ms.toFixed(0)} of ${mostMs.toFixed(0)} ms of CPU time`);
  }
}

/** Fails if ten times as much input costs much more than ten times as much CPU time. */
export function assertLinear<T>(
  name: string,
  make: (size: number) => T,
  run: (input: T) => unknown,
  size: number,
): void {
  const [small, large] = [make(size), make(size * FACTOR)];
  run(small);
  if (isCounted) return void run(large);
  const smallMs = Math.max(
    MIN_MS,
    cpuMs(() => run(small)),
  );
  let largeMs = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS && largeMs > smallMs * MAX_RATIO; turn++) {
    largeMs = Math.min(
      largeMs,
      cpuMs(() => run(large), 1),
    );
  }
  const ratio = largeMs / smallMs;
  assert.ok(
    ratio <= MAX_RATIO,
    `${name}: ${FACTOR} times the input took ${ratio.toFixed(0)} times as long (${largeMs.toFixed(1)} ms)`,
  );
}
