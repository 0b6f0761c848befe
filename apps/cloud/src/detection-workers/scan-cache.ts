import { hash } from 'node:crypto';
import type { Direction } from '@csg/shared/contract';
import { type Finding, type SlotMemory, taskIndexesInSteps, taskTextOf } from '@csg/shared/detection';
import { mapping, pausing, type Steps, type TextSlot } from '@csg/shared/text';
import { LRUCache } from 'lru-cache';

/** Caches the findings of texts, for chats that resend their history with each turn. */
export interface ScanCache {
  /**
   * Returns the known findings of the slots of a scan; undefined for responses and if all texts are
   * too short. `scope` identifies the organization and the rules, so that no organization can learn what texts of
   * another one contain, not even from the time it takes to evaluate a text that was seen before.
   */
  get(scope: string, slots: readonly TextSlot[], direction: Direction): Steps<SlotMemory | undefined>;
}

export interface ScanCacheOptions {
  /** Above this size the least recently used entries are evicted. */
  readonly sizeBytes: number;
  /** Called for each scan with the number of texts that were cached, and that had to be scanned. */
  observe(known: number, read: number): void;
}

/** UTF-16 units. Shorter texts are scanned as fast as they are looked up, and cannot contain an attack. */
const MIN_LENGTH = 6;
/** Above this number only longer texts are looked up, to keep the event loop free. No real conversation has that many. */
const MANY_TEXTS = 5_000;
const MIN_LENGTH_OF_MANY = 256;
/** Digests between two pauses: a text can be long. */
const DIGESTS = 4;
/** Approximate size of an entry, and of each finding in it. */
const ENTRY_BYTES = 250;
const FINDING_BYTES = 300;

/** Stores digests and findings only, no texts. Responses are not cached: no client sends one again as a response. */
export function createScanCache({ sizeBytes, observe }: ScanCacheOptions): ScanCache {
  // A plain Map used as an LRU keeps deleted slots until it grows: a text in every request gets slow to look up.
  const entries = new LRUCache<string, readonly Finding[]>({
    maxSize: Math.max(1, sizeBytes),
    sizeCalculation: bytesOf,
  });

  return {
    *get(scope, slots, direction) {
      if (direction === 'output') return undefined;
      const tasks = yield* taskIndexesInSteps(slots, direction);
      const taskDigests = new Map<number, string>();
      const taskDigestOf = (index: number): string => {
        const at = tasks[index]!;
        if (at === -1) return '';
        const digest = taskDigests.get(at) ?? digestOf(taskTextOf(slots[at]!));
        taskDigests.set(at, digest);
        return digest;
      };
      const minLength = slots.length > MANY_TEXTS ? MIN_LENGTH_OF_MANY : MIN_LENGTH;
      let seen = 0;
      const keys: (string | null)[] = [];
      yield* pausing(
        slots,
        ({ text, role }) => {
          const isKept = text.length >= minLength;
          if (isKept) seen++;
          keys.push(isKept ? `${scope} ${role} ${digestOf(text)} ${taskDigestOf(keys.length)}` : null);
        },
        DIGESTS,
      );
      if (seen === 0) return undefined;
      let found = 0;
      const known = yield* mapping(keys, (key) => {
        const findings = key === null ? undefined : entries.get(key);
        if (key === null || findings === undefined) return undefined;
        found++;
        return findings;
      });
      observe(found, seen - found);
      return {
        recall: (index) => known[index],
        keep(index, findings) {
          const key = keys[index];
          if (typeof key === 'string' && !entries.has(key)) entries.set(key, findings);
        },
      };
    },
  };
}

function bytesOf(findings: readonly Finding[]): number {
  return ENTRY_BYTES + findings.length * FINDING_BYTES;
}

/** Hashes every UTF-16 code unit: UTF-8 encoding would make all lone surrogates equal. */
function digestOf(text: string): string {
  return text.isWellFormed()
    ? hash('sha256', text, 'base64')
    : `!${hash('sha256', Buffer.from(text, 'utf16le'), 'base64')}`;
}
