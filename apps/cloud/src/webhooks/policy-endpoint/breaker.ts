/** Circuit breaker: a dead endpoint must not cost its timeout for every scan. Pure: the caller passes the time. */
export interface Breaker {
  /** False while the circuit is open; one request is allowed when that time is over. */
  allowsRequest(name: string, nowMs: number): boolean;
  /** Records the result of a request. */
  note(name: string, isGood: boolean, nowMs: number): void;
}

export const FAILURES_TO_OPEN = 5;
export const OPEN_MS = 30_000;
const MAX_KNOWN = 10_000;

export function createBreaker(): Breaker {
  const failing = new Map<string, { failures: number; untilMs: number }>();
  return {
    allowsRequest(name, nowMs) {
      const state = failing.get(name);
      if (state === undefined || state.failures < FAILURES_TO_OPEN) return true;
      if (nowMs < state.untilMs) return false;
      // Others wait for the result of this one.
      state.untilMs = nowMs + OPEN_MS;
      return true;
    },
    note(name, isGood, nowMs) {
      if (isGood) {
        failing.delete(name);
        return;
      }
      const state = failing.get(name) ?? { failures: 0, untilMs: 0 };
      state.failures += 1;
      state.untilMs = nowMs + OPEN_MS;
      if (failing.size >= MAX_KNOWN) failing.clear();
      failing.set(name, state);
    },
  };
}
