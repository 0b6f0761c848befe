/**
 * Holds addresses that keep failing authentication, each time for longer. Kept in memory and bounded:
 * what it protects (a key of 190 bits) needs no better memory than this.
 */
export interface FailureHold {
  /** Notes a failed authentication; returns the seconds the address is held from now on, or 0. */
  fail(address: string): number;
  /** Seconds the address is still held, or 0. */
  heldS(address: string): number;
  /** Takes one noted failure back: it was none after all. */
  undo(address: string): void;
}

interface Record {
  failures: number;
  windowEndsMs: number;
  heldUntilMs: number;
  holds: number;
}

const WINDOW_MS = 5 * 60_000;
const FIRST_HOLD_MS = 60_000;
const LONGEST_HOLD_MS = 60 * 60_000;
const MAX_ADDRESSES = 50_000;

/** `limit` failures within five minutes are a hold of 1, 2, 4 … 60 minutes; 0 never holds. */
export function createFailureHold(options: {
  readonly limit: number;
  readonly now: () => number;
}): FailureHold {
  const records = new Map<string, Record>();

  function heldS(address: string): number {
    const left = (records.get(address)?.heldUntilMs ?? 0) - options.now();
    return left > 0 ? Math.ceil(left / 1000) : 0;
  }

  return {
    heldS,
    undo(address) {
      const record = records.get(address);
      if (record === undefined) return;
      if (record.failures > 0) {
        record.failures -= 1;
      } else if (record.heldUntilMs > options.now()) {
        // It was the one too many: the hold that it began goes with it.
        record.heldUntilMs = 0;
        record.holds -= 1;
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
        record = { failures: 0, windowEndsMs: now + WINDOW_MS, heldUntilMs: 0, holds: 0 };
        records.set(address, record);
      }
      if (now >= record.windowEndsMs) {
        if (now >= record.windowEndsMs + LONGEST_HOLD_MS) record.holds = 0;
        record.failures = 0;
        record.windowEndsMs = now + WINDOW_MS;
      }
      record.failures += 1;
      if (record.failures >= options.limit) {
        record.heldUntilMs = now + Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** record.holds);
        record.holds += 1;
        record.failures = 0;
        record.windowEndsMs = record.heldUntilMs + WINDOW_MS;
      }
      return heldS(address);
    },
  };
}
