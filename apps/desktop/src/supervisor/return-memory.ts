const IDLE_CHECK_MS = 15_000;

export interface MemoryReturn {
  /** Increases with the work of the process. */
  readonly activity: () => number;
  readonly collect: () => void;
}

/**
 * After start and after a load, V8 keeps its peak memory until it needs more: an idle process returns it to the
 * computer once.
 */
export function returnMemory({ activity, collect }: MemoryReturn): void {
  let seen = activity();
  let isDue = true;
  const check = (): void => {
    const now = activity();
    const isIdle = now === seen;
    seen = now;
    if (isIdle && isDue) collect();
    isDue = !isIdle;
  };
  setInterval(check, IDLE_CHECK_MS).unref();
}

/** Needs `--expose-gc`. Only this flavor returns the space of short-lived objects, 16 MB in the proxy. */
export function collectAll(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
