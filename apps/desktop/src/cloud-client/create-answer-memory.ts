import type { DigestOf } from '@csg/shared/streaming';
import { LRUCache } from 'lru-cache';
import { ANSWERS_KEPT, type KeptAnswer, type TextMemory } from '../inspect/text-memory.ts';

const DIGEST_BYTES = 16;

export interface AnswerMemory extends Pick<TextMemory, 'storeAnswer' | 'isAnswered'> {
  /** Takes what an earlier process has kept. */
  restore(kept: readonly KeptAnswer[]): void;
}

/**
 * Memory of answers that passed: their ids and the keys of their signed blocks, as keyed digests. `keep` stores what is
 * new beyond this process.
 */
export function createAnswerMemory(
  now: () => number,
  digestOf: DigestOf,
  keep: (digests: readonly string[]) => void,
): AnswerMemory {
  const answers = new LRUCache<string, number>({ max: ANSWERS_KEPT.most });
  const keyOf = (host: string, id: string): string =>
    Buffer.from(digestOf(JSON.stringify([host, id])))
      .subarray(0, DIGEST_BYTES)
      .toString('base64url');
  return {
    storeAnswer(host, ids) {
      const digests = ids.map((id) => keyOf(host, id));
      for (const digest of digests) answers.set(digest, now());
      if (digests.length > 0) keep(digests);
    },
    isAnswered: (host, id) =>
      now() - (answers.get(keyOf(host, id)) ?? Number.NEGATIVE_INFINITY) <= ANSWERS_KEPT.forMs,
    restore(kept) {
      for (const { digest, atMs } of kept) answers.set(digest, atMs);
    },
  };
}
