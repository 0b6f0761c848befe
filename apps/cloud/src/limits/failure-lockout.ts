/**
 * Holds addresses that keep failing authentication, each time for longer. Kept in memory and bounded:
 * what it protects (a key of 190 bits) needs no better memory than this.
 */
export interface FailureLockout {
  /** Notes a failed authentication; returns the seconds the address is held from now on, or 0. */
  fail(address: string): number;
  /** Seconds the address is still held, or 0. */
  lockoutS(address: string): number;
  /** Takes one noted failure back: it was none after all. */
  undo(address: string): void;
}

interface Record {
  failures: number;
  windowEndsMs: number;
  lockedUntilMs: number;
  lockouts: number;
}

const WINDOW_MS = 5 * 60_000;
const FIRST_LOCKOUT_MS = 60_000;
const MAX_LOCKOUT_MS = 60 * 60_000;
const MAX_ADDRESSES = 50_000;

/** `limit` failures within five minutes are a hold of 1, 2, 4 … 60 minutes; 0 never holds. */
export function createFailureLockout(options: {
  readonly limit: number;
  readonly now: () => number;
}): FailureLockout {
  const records = new Map<string, Record>();

  function lockoutS(address: string): number {
    const left = (records.get(address)?.lockedUntilMs ?? 0) - options.now();
    return left > 0 ? Math.ceil(left / 1000) : 0;
  }

  return {
    lockoutS,
    undo(address) {
      const record = records.get(address);
      if (record === undefined) return;
      if (record.failures > 0) {
        record.failures -= 1;
      } else if (record.lockedUntilMs > options.now()) {
        // It was the one too many: the hold that it began goes with it.
        record.lockedUntilMs = 0;
        record.lockouts -= 1;
        record.failures = options.limit - 1;
        record.windowEndsMs = options.now() + WINDOW_MS;
      }
    },
    fail(address) {
      if (options.limit === 0) return 0;
      const now = options.now();
      let record = records.get(address);
      if (record === undefined) {
        // The oldest goes first: an attacker with many addresses cannot grow this without end.
        if (records.size >= MAX_ADDRESSES) records.delete(records.keys().next().value as string);
        record = { failures: 0, windowEndsMs: now + WINDOW_MS, lockedUntilMs: 0, lockouts: 0 };
        records.set(address, record);
      }
      if (now >= record.windowEndsMs) {
        if (now >= record.windowEndsMs + MAX_LOCKOUT_MS) record.lockouts = 0;
        record.failures = 0;
        record.windowEndsMs = now + WINDOW_MS;
      }
      record.failures += 1;
      if (record.failures >= options.limit) {
        record.lockedUntilMs = now + Math.min(MAX_LOCKOUT_MS, FIRST_LOCKOUT_MS * 2 ** record.lockouts);
        record.lockouts += 1;
        record.failures = 0;
        record.windowEndsMs = record.lockedUntilMs + WINDOW_MS;
      }
      return lockoutS(address);
    },
  };
}
