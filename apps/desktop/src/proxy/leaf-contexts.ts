import { createSecureContext, type SecureContext } from 'node:tls';
import type { LeafCertificate } from './messages.ts';

/** Made anew this long before a leaf ends. */
const RENEW_MS = 2 * 60 * 60 * 1000;
/** A refusal to make one holds for this long. */
const REJECTED_MS = 60 * 1000;
const WAIT_MS = 3_000;
/** After a leaf that did not come in time, the agent is asked again after this pause. */
const RETRY_MS = 1_000;
/** Clocks are put right by seconds every day; a leaf begins an hour before it was made. */
const MAX_STEP_BACK_MS = 30 * 60 * 1000;
const MAX_HOSTS = 1_000;

export type LeafResult =
  | { readonly kind: 'ready'; readonly context: SecureContext }
  /** The agent says that it cannot make one. */
  | { readonly kind: 'refused' }
  /** The agent has not answered in time, such as a computer that wakes up. It may still do so. */
  | { readonly kind: 'late' };

/** Certificates to answer clients with, asked for one by one from the agent, which has the key. */
export interface LeafContexts {
  contextFor(host: string): Promise<LeafResult>;
  /** Counts whenever it comes, also after those who waited have left. */
  arrived(host: string, leaf: LeafCertificate | null): void;
}

/** What is known, and for how long. */
interface Known {
  readonly result: LeafResult;
  /** Before it the clock was set back, and the answer does not count. */
  readonly fromMs: number;
  /** From here on the agent is asked again. */
  readonly untilMs: number;
}

interface Entry {
  known: Known | null;
  /** The last leaf, which may be valid while the next one does not come. */
  leaf: (Known & { readonly endMs: number }) | null;
  /** Those who wait for the agent. */
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

  /** For `holdMs` the leaf before it, where that one is valid still; else `otherwise`. */
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
