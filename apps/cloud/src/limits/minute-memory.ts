const MINUTE_MS = 60_000;

interface Known {
  seen: number;
  owed: number;
}

/** What one instance knows about the current minute of counters that are stored elsewhere. */
export interface MinuteMemory {
  /** `seen`: the highest reported count; `owed`: requests allowed since then and not reported yet. */
  read(id: string): { readonly minute: number; readonly seen: number; readonly owed: number };
  see(id: string, minute: number, count: number): void;
  owe(id: string, minute: number, requests: number): void;
  settle(id: string, minute: number, requests: number): void;
}

/** Forgets each minute when it ends, by the local clock or the counter's clock, whichever is ahead (Unix time). */
export function createMinuteMemory(now: () => number): MinuteMemory {
  let minute = -1;
  const known = new Map<string, Known>();

  /** Returns undefined for a past minute. */
  function of(id: string, targetMinute: number): Known | undefined {
    if (targetMinute > minute) {
      minute = targetMinute;
      known.clear();
    }
    if (targetMinute < minute) return undefined;
    let one = known.get(id);
    if (one === undefined) {
      one = { seen: 0, owed: 0 };
      known.set(id, one);
    }
    return one;
  }

  return {
    read(id) {
      // Setting the clock back must not reopen a used-up minute.
      const present = Math.max(minute, Math.floor(now() / MINUTE_MS));
      const one = of(id, present);
      return { minute: present, seen: one?.seen ?? 0, owed: one?.owed ?? 0 };
    },
    see(id, targetMinute, count) {
      const one = of(id, targetMinute);
      if (one !== undefined && count > one.seen) one.seen = count;
    },
    owe(id, targetMinute, requests) {
      const one = of(id, targetMinute);
      if (one !== undefined) one.owed += requests;
    },
    settle(id, targetMinute, requests) {
      const one = of(id, targetMinute);
      if (one !== undefined) one.owed -= requests;
    },
  };
}
