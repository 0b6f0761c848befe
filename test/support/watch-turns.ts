/** How long the turns of this thread's event loop take, in CPU time, with garbage collection apart. */
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Turn {
  /** CPU time of this thread without garbage collection. */
  readonly ownMs: number;
  readonly gcMs: number;
  /** On the clock of `performance.now()`. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface TurnWatch {
  /** The longest turn since the last call. */
  longest(): Promise<Turn>;
  stop(): void;
}

const TICK_MS = 1;
/** Shorter turns are of no interest. */
const LEAST_MS = 4;

/** CPU time of this thread: a busy computer does not look like a blocked loop. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function watchTurns(): TurnWatch {
  let turns: { readonly cpuMs: number; readonly fromMs: number; readonly toMs: number }[] = [];
  let collections: PerformanceEntry[] = [];
  const keep = (entries: readonly PerformanceEntry[]): void => void collections.push(...entries);
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  let last = { cpuMs: threadCpuMs(), atMs: performance.now() };
  const timer = setInterval(() => {
    const now = { cpuMs: threadCpuMs(), atMs: performance.now() };
    const cpuMs = now.cpuMs - last.cpuMs;
    if (cpuMs >= LEAST_MS) turns.push({ cpuMs, fromMs: last.atMs, toMs: now.atMs });
    last = now;
  }, TICK_MS);

  /** Part of its time in which the thread had no core counts for neither. */
  function apart({ cpuMs, fromMs, toMs }: (typeof turns)[number]): Turn {
    let collectedMs = 0;
    for (const { startTime, duration } of collections)
      collectedMs += Math.max(0, Math.min(toMs, startTime + duration) - Math.max(fromMs, startTime));
    const gcMs = collectedMs * Math.min(1, cpuMs / (toMs - fromMs));
    return { ownMs: Math.max(0, cpuMs - gcMs), gcMs, fromMs, toMs };
  }

  return {
    async longest() {
      // The entries of a turn arrive in the next one.
      await nextTurn();
      await nextTurn();
      keep(observer.takeRecords());
      const measured = turns.map(apart);
      [turns, collections] = [[], []];
      last = { cpuMs: threadCpuMs(), atMs: performance.now() };
      const none = { ownMs: 0, gcMs: 0, fromMs: 0, toMs: 0 };
      return measured.reduce((most, turn) => (turn.ownMs > most.ownMs ? turn : most), none);
    },
    stop() {
      clearInterval(timer);
      observer.disconnect();
    },
  };
}

/** The CPU time that a known piece of work takes in this thread now: about 30 ms on an idle computer. */
export function referenceMs(): number {
  const members = Array.from({ length: 50_000 }, (_, i) => `"name ${i}":0`).join(',');
  const startMs = threadCpuMs();
  JSON.parse(`{${members}}`);
  return threadCpuMs() - startMs;
}
