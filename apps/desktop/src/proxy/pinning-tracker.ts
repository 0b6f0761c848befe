/** After two refusals an app is tunneled for this long. */
const TUNNEL_MS = 60 * 60 * 1000;
/** Refusals further apart than this are unrelated. */
const WINDOW_MS = 10 * 60 * 1000;
const MAX_REJECTIONS = 2;
const MAX_ENTRIES = 2_000;

/** Detects apps that refuse our certificate because they pin their own. Counts per host and process. */
export interface PinningTracker {
  /** True after the first refusal: then the process is looked up. */
  isWatched(host: string, nowMs: number): boolean;
  /** Returns the end of the tunnel that this refusal causes, or null. `process` null: unknown. */
  rejected(host: string, process: string | null, nowMs: number): number | null;
  /** A successful handshake resets the count. */
  accepted(host: string, process: string | null): void;
  isPinned(host: string, process: string | null, nowMs: number): boolean;
}

interface Count {
  rejections: number;
  lastMs: number;
  tunnelUntilMs: number;
}

export function createPinningTracker(): PinningTracker {
  const counts = new Map<string, Count>();
  const watched = new Map<string, number>();
  const keyOf = (host: string, process: string | null): string => `${host}\n${process ?? ''}`;

  function count(host: string, process: string | null, nowMs: number): Count {
    const key = keyOf(host, process);
    const known = counts.get(key);
    if (known !== undefined && nowMs - known.lastMs <= WINDOW_MS) return known;
    if (counts.size >= MAX_ENTRIES) counts.delete(counts.keys().next().value as string);
    const fresh: Count = { rejections: 0, lastMs: nowMs, tunnelUntilMs: known?.tunnelUntilMs ?? 0 };
    counts.set(key, fresh);
    return fresh;
  }

  return {
    isWatched: (host, nowMs) => (watched.get(host) ?? Number.NEGATIVE_INFINITY) > nowMs,
    rejected(host, process, nowMs) {
      if (watched.size >= MAX_ENTRIES) watched.delete(watched.keys().next().value as string);
      watched.set(host, nowMs + TUNNEL_MS);
      const own = count(host, process, nowMs);
      own.rejections++;
      own.lastMs = nowMs;
      // The very first rejection came before the process was looked up.
      const unknown = process === null ? undefined : counts.get(keyOf(host, null));
      const before = unknown !== undefined && nowMs - unknown.lastMs <= WINDOW_MS ? unknown.rejections : 0;
      if (own.rejections + Math.min(before, 1) < MAX_REJECTIONS) return null;
      own.tunnelUntilMs = nowMs + TUNNEL_MS;
      return own.tunnelUntilMs;
    },
    accepted(host, process) {
      const known = counts.get(keyOf(host, process));
      if (known !== undefined) known.rejections = 0;
    },
    isPinned(host, process, nowMs) {
      const leftMs = (counts.get(keyOf(host, process))?.tunnelUntilMs ?? 0) - nowMs;
      // More than the maximum: the clock was set back.
      return leftMs > 0 && leftMs <= TUNNEL_MS;
    },
  };
}

/** Errors with which a client rejects our certificate, including a reset during the handshake. */
const CERTIFICATE_REJECTION =
  /UNKNOWN_CA|CERTIFICATE_UNKNOWN|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_REVOKED|CERTIFICATE_EXPIRED|ACCESS_DENIED|ECONNRESET/;

export function isCertificateRejection(error: NodeJS.ErrnoException): boolean {
  return CERTIFICATE_REJECTION.test(error.code ?? '');
}
