import { createSecureContext, type SecureContext } from 'node:tls';
import type { LeafCertificate } from './messages.ts';

/** Made anew this long before a leaf ends. */
const RENEW_MS = 2 * 60 * 60 * 1000;
/** A refusal to make one holds for this long. */
const REFUSED_MS = 60 * 1000;
const WAIT_MS = 3_000;
/** Clocks are put right by seconds every day; a leaf begins an hour before it was made. */
const MAX_STEP_BACK_MS = 30 * 60 * 1000;
const MAX_CONTEXTS = 1_000;

/** Certificates to answer clients with, asked for one by one from whoever holds the root. */
export interface LeafContexts {
  /** Null: there is none to be had, so the host cannot be opened. */
  contextFor(host: string): Promise<SecureContext | null>;
  arrived(host: string, leaf: LeafCertificate | null): void;
}

interface Entry {
  readonly context: Promise<SecureContext | null>;
  settle: (context: SecureContext | null) => void;
  /** Since when this holds; before it the clock was set back, and what was kept may not be valid yet. */
  fromMs: number;
  untilMs: number;
}

export function createLeafContexts(needLeaf: (host: string) => void, now: () => number): LeafContexts {
  const entries = new Map<string, Entry>();
  return {
    contextFor(host) {
      const known = entries.get(host);
      const nowMs = now();
      if (known !== undefined && known.untilMs > nowMs && known.fromMs <= nowMs + MAX_STEP_BACK_MS)
        return known.context;
      const { promise, resolve } = Promise.withResolvers<SecureContext | null>();
      const entry: Entry = { context: promise, settle: resolve, fromMs: nowMs, untilMs: nowMs + WAIT_MS };
      entries.delete(host);
      entries.set(host, entry);
      if (entries.size > MAX_CONTEXTS) entries.delete(entries.keys().next().value as string);
      setTimeout(() => resolve(null), WAIT_MS).unref();
      needLeaf(host);
      return promise;
    },
    arrived(host, leaf) {
      const entry = entries.get(host);
      if (entry === undefined) return;
      entry.fromMs = now();
      entry.untilMs = leaf === null ? now() + REFUSED_MS : leaf.notAfterMs - RENEW_MS;
      entry.settle(
        leaf === null
          ? null
          : createSecureContext({ cert: leaf.chain, key: leaf.key, minVersion: 'TLSv1.2' }),
      );
    },
  };
}
