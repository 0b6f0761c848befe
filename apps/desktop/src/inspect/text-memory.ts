import type { ThreatType } from '@csg/shared/contract';
import type { Replacement } from '@csg/shared/text';

/** An allowed text of an earlier turn: its replacements, if any. */
export interface KnownText {
  readonly replacements: readonly Replacement[];
  /** The reason for the replacements. */
  readonly threatType: ThreatType | null;
  readonly confidence: number;
}

/** A text without a finding. */
export const PASSED: KnownText = { replacements: [], threatType: null, confidence: 0 };

/**
 * Memory of evaluated texts, for conversations that are sent again with each turn. Contains digests and positions, no
 * text.
 */
export interface TextMemory {
  digest(text: string): string;
  /** Undefined: the text is new, or its entry has expired. */
  recall(key: string): KnownText | undefined;
  store(key: string, known: KnownText): void;
  /** Stores texts that the service has blocked together. */
  storeBlocked(keys: readonly string[], why: CombinedBlock): void;
  /** Stores the ids of a response that passed, by which later requests name it at this host, and its signed blocks. */
  storeAnswer(host: string, ids: readonly string[]): void;
  isAnswered(host: string, id: string): boolean;
  /** Returns why the service has blocked texts that are all among these; null: it has not. */
  recallBlocked(keys: ReadonlySet<string>): CombinedBlock | null;
}

/** How many ids and signed blocks of answers are known, and for how long. */
export const ANSWERS_KEPT = { most: 20_000, forMs: 30 * 24 * 60 * 60 * 1000 } as const;

/** An id or a signed block of an answer, as a keyed digest. */
export interface KeptAnswer {
  readonly digest: string;
  readonly atMs: number;
}

export interface CombinedBlock {
  readonly threatType: ThreatType | null;
  readonly confidence: number;
}

/** Treats every text as new. */
export const NO_MEMORY: TextMemory = {
  digest: () => '',
  recall: () => undefined,
  store() {},
  storeBlocked() {},
  recallBlocked: () => null,
  storeAnswer() {},
  isAnswered: () => false,
};
