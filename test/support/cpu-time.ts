import assert from 'node:assert/strict';

/** Below this a ratio would compare the clock's own steps. */
const LEAST_MS = 2;
const FACTOR = 10;
/** Four times what linear costs, and less than half of what the square would. */
const MAX_RATIO = 40;
const TURNS = 5;

/** CPU time that `run` takes of this thread, the least of some turns: a busy machine is no slow program. */
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

/** Fails if ten times as much input costs much more than ten times as much CPU time. */
export function assertLinear<T>(
  name: string,
  make: (size: number) => T,
  run: (input: T) => unknown,
  size: number,
): void {
  const [small, large] = [make(size), make(size * FACTOR)];
  run(small);
  const smallMs = Math.max(
    LEAST_MS,
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
