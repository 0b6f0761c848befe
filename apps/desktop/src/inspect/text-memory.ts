import type { ThreatType } from '@csg/shared/contract';
import type { Replacement } from '@csg/shared/text';

/** What an earlier turn made of a text that may go out: these replacements, or none. */
export interface KnownText {
  readonly replacements: readonly Replacement[];
  /** Why they are made. */
  readonly threatType: ThreatType | null;
  readonly confidence: number;
}

/** Of texts that were evaluated before, for conversations that are sent again with each turn. Digests and places, no text. */
export interface TextMemory {
  digest(text: string): string;
  /** Undefined: the text is new, or too long ago. */
  recall(key: string): KnownText | undefined;
  store(key: string, known: KnownText): void;
  /** The service has blocked these together. */
  storeBlocked(keys: readonly string[], why: BlockedTogether): void;
  /** Why the service has blocked texts that are all among these; null: it has not. */
  recallBlocked(keys: ReadonlySet<string>): BlockedTogether | null;
}

export interface BlockedTogether {
  readonly threatType: ThreatType | null;
  readonly confidence: number;
}

/** Every text is new. */
export const NO_MEMORY: TextMemory = {
  digest: () => '',
  recall: () => undefined,
  store() {},
  storeBlocked() {},
  recallBlocked: () => null,
};
