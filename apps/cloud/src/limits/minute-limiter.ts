/** State of the current minute of one account or address. */
export interface MinuteWindow {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds at which the window ends: the start of the next minute. */
  readonly resetAtS: number;
}

/** Counts requests per UTC minute. `createRedisLimiter` counts over several instances. */
export interface MinuteLimiter {
  /** Counts one request for `id` unless its limit is reached. */
  take(id: string, limit: number): MinuteWindow | Promise<MinuteWindow>;
  /** Returns the same window without counting. */
  peek(id: string, limit: number): MinuteWindow | Promise<MinuteWindow>;
}

const MINUTE_MS = 60_000;

export function createLocalLimiter(now: () => number): MinuteLimiter {
  let minute = -1;
  const counts = new Map<string, number>();

  function countOf(id: string): number {
    const current = Math.floor(now() / MINUTE_MS);
    // Setting the clock back must not reopen a used-up minute, and a new minute must start at zero.
    if (current > minute) {
      minute = current;
      counts.clear();
    }
    return counts.get(id) ?? 0;
  }

  return {
    take(id, limit) {
      const count = countOf(id);
      if (count >= limit) return windowOf(false, limit, count, minute);
      counts.set(id, count + 1);
      return windowOf(true, limit, count + 1, minute);
    },
    peek(id, limit) {
      const count = countOf(id);
      return windowOf(count < limit, limit, count, minute);
    },
  };
}

export function windowOf(allowed: boolean, limit: number, count: number, minute: number): MinuteWindow {
  return { allowed, limit, remaining: Math.max(0, limit - count), resetAtS: (minute + 1) * 60 };
}
