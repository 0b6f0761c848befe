import { hash } from 'node:crypto';
import type { Direction } from '@csg/shared/contract';
import { type Finding, type SlotMemory, taskIndexes, taskTextOf } from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import { LRUCache } from 'lru-cache';

/** Remembers what was found in texts, for chats that send their history again with each turn. */
export interface ScanCache {
  /**
   * What the slots of a scan are known to hold; undefined where none of them is remembered. `scope` names the
   * organization and the rules: no organization learns what another one's texts contained, not even from how quickly a
   * text that was seen before is evaluated.
   */
  get(scope: string, slots: readonly TextSlot[], direction: Direction): SlotMemory | undefined;
}

export interface ScanCacheOptions {
  /** The least recently seen are forgotten above this. */
  readonly sizeBytes: number;
  /** Told of each scan how many of its texts were known, and how many had to be read. */
  observe(known: number, read: number): void;
}

/** UTF-16 units. Shorter texts are read as quickly as they are looked up: they hold no attack. */
const MIN_LENGTH = 6;
/** Of more texts only the longer ones are looked up, so that others do not wait for it. No conversation has so many. */
const MANY_TEXTS = 5_000;
const MIN_LENGTH_OF_MANY = 256;
/** About what an entry and each finding of it take. */
const ENTRY_BYTES = 250;
const FINDING_BYTES = 300;

/** Digests and findings only: nothing of a text stays. Answers are not remembered: no client sends one again as an answer. */
export function createScanCache({ sizeBytes, observe }: ScanCacheOptions): ScanCache {
  // A Map whose entries are taken out and put back keeps their places until it grows: a text of every request gets slow.
  const entries = new LRUCache<string, readonly Finding[]>({
    maxSize: Math.max(1, sizeBytes),
    sizeCalculation: bytesOf,
  });

  return {
    get(scope, slots, direction) {
      if (direction === 'output') return undefined;
      const tasks = taskIndexes(slots, direction);
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
      const keys = slots.map((slot, index) => {
        if (slot.text.length < minLength) return null;
        seen++;
        return `${scope} ${slot.role} ${digestOf(slot.text)} ${taskDigestOf(index)}`;
      });
      if (seen === 0) return undefined;
      let found = 0;
      const known = keys.map((key) => {
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

/** Of every code of a text: UTF-8 would make all halves of characters one. */
function digestOf(text: string): string {
  return text.isWellFormed()
    ? hash('sha256', text, 'base64')
    : `!${hash('sha256', Buffer.from(text, 'utf16le'), 'base64')}`;
}
