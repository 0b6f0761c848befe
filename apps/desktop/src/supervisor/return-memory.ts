const IDLE_CHECK_MS = 15_000;

export interface MemoryReturn {
  /** Grows with what the process does. */
  readonly activity: () => number;
  readonly collect: () => void;
}

/**
 * After its start and after a load, V8 keeps what it needed at the peak until it needs more: an idle process gives it
 * back to the computer, once.
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

/** With `--expose-gc`. Of its ways only this one gives the space of short-lived objects back, 16 MB of the proxy. */
export function collectAll(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
