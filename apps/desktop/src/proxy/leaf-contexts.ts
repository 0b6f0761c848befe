import { createSecureContext, type SecureContext } from 'node:tls';
import type { LeafCertificate } from './messages.ts';

/** A leaf is renewed this long before it expires. */
const RENEW_MS = 2 * 60 * 60 * 1000;
/** A refusal of the agent is cached for this long. */
const REJECTED_MS = 60 * 1000;
const WAIT_MS = 3_000;
/** If a leaf did not arrive in time, it is requested again after this pause. */
const RETRY_MS = 1_000;
/** Clock corrections of some seconds are normal; a leaf becomes valid an hour before it is made. */
const MAX_STEP_BACK_MS = 30 * 60 * 1000;
const MAX_HOSTS = 1_000;

export type LeafResult =
  | { readonly kind: 'ready'; readonly context: SecureContext }
  /** The agent cannot make a certificate. */
  | { readonly kind: 'refused' }
  /** The agent has not responded in time, for example while the computer wakes up. It may still respond. */
  | { readonly kind: 'late' };

/** The proxy's TLS certificates, requested from the agent, which has the key. */
export interface LeafContexts {
  contextFor(host: string): Promise<LeafResult>;
  /** Stores a leaf even if it arrives after the callers have stopped waiting. */
  arrived(host: string, leaf: LeafCertificate | null): void;
}

/** A cached result and its lifetime. */
interface Known {
  readonly result: LeafResult;
  /** If the clock is earlier, it was set back and the result is invalid. */
  readonly fromMs: number;
  /** After this time the agent is asked again. */
  readonly untilMs: number;
}

interface Entry {
  known: Known | null;
  /** The last leaf, which may still be valid while the next one is missing. */
  leaf: (Known & { readonly endMs: number }) | null;
  /** Callers that wait for the agent. */
  waiting: PromiseWithResolvers<LeafResult> | null;
}

export function createLeafContexts(needLeaf: (host: string) => void, now: () => number): LeafContexts {
  const entries = new Map<string, Entry>();

  function entryOf(host: string): Entry {
    const entry = entries.get(host) ?? { known: null, leaf: null, waiting: null };
    entries.delete(host);
    entries.set(host, entry);
    if (entries.size > MAX_HOSTS) entries.delete(entries.keys().next().value as string);
    return entry;
  }

  function learn(entry: Entry, known: Known): void {
    entry.known = known;
    entry.waiting?.resolve(known.result);
    entry.waiting = null;
  }

  /** For `holdMs` uses the previous leaf if it is still valid; else `otherwise`. */
  function fallBack(entry: Entry, otherwise: LeafResult, holdMs: number): void {
    const nowMs = now();
    const { leaf } = entry;
    const isValid = leaf !== null && leaf.fromMs <= nowMs && leaf.endMs > nowMs;
    const result = isValid ? leaf.result : otherwise;
    learn(entry, { result, fromMs: nowMs, untilMs: nowMs + holdMs });
  }

  function requestLeaf(host: string, entry: Entry): Promise<LeafResult> {
    const waiting = Promise.withResolvers<LeafResult>();
    entry.waiting = waiting;
    setTimeout(() => {
      if (entry.waiting === waiting) fallBack(entry, { kind: 'late' }, RETRY_MS);
    }, WAIT_MS).unref();
    needLeaf(host);
    return waiting.promise;
  }

  return {
    contextFor(host) {
      const entry = entryOf(host);
      const nowMs = now();
      const { known } = entry;
      if (known !== null && known.fromMs <= nowMs && known.untilMs > nowMs)
        return Promise.resolve(known.result);
      return entry.waiting?.promise ?? requestLeaf(host, entry);
    },
    arrived(host, leaf) {
      const entry = entryOf(host);
      if (leaf === null) return fallBack(entry, { kind: 'refused' }, REJECTED_MS);
      const context = createSecureContext({ cert: leaf.chain, key: leaf.key, minVersion: 'TLSv1.2' });
      entry.leaf = {
        result: { kind: 'ready', context },
        fromMs: now() - MAX_STEP_BACK_MS,
        untilMs: leaf.notAfterMs - RENEW_MS,
        endMs: leaf.notAfterMs,
      };
      learn(entry, entry.leaf);
    },
  };
}
