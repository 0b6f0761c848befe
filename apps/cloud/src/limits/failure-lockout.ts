/**
 * Locks out addresses that repeatedly fail authentication, for longer each time. Bounded and in memory only, which is
 * enough to protect keys of 190 bits.
 */
export interface FailureLockout {
  /** Counts a failed authentication; returns the seconds for which the address is now locked out, or 0. */
  fail(address: string): number;
  /** Returns the remaining seconds of the lockout, or 0. */
  lockoutS(address: string): number;
  /** Undoes one counted failure that turned out to be none. */
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

/** `limit` failures within five minutes cause a lockout of 1, 2, 4 … 60 minutes; 0 disables it. */
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
        // The undone failure caused the lockout, so the lockout is undone, too.
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
        // Evict the oldest, so that an attacker with many addresses cannot exhaust the memory.
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
