import type { TextScope } from './allowed-texts.ts';

/**
 * The subject of a note: the block of a response, the exception that applied to a text, a classifier's result about the
 * passages of a text, the id of a response that was evaluated (its value: the session), a signed block of one, or
 * a run of requests.
 */
export type NoteKind = 'answer' | 'block' | 'exception' | 'opinion' | 'run' | 'signed';

/** A decision about a text that holds for the rest of its conversation. The text itself is not stored. */
export interface ConversationNoteRow {
  organization_id: string;
  project_id: string | null;
  /** The kind, a colon, and a keyed digest. */
  note_key: string;
  value: string;
  at_ms: number;
}

export interface ConversationNotes {
  /** Returns a key that is stable for the same parts in one project and different in every other. Stores nothing. */
  keyOf(scope: TextScope, kind: NoteKind, parts: readonly string[]): string;
  hasAny(scope: TextScope, kind: NoteKind): Promise<boolean>;
  /** Returns the values of those keys that have one, if it was stored since then. */
  find(scope: TextScope, keys: readonly string[], sinceMs?: number): Promise<ReadonlyMap<string, string>>;
  /** Stores notes whose key has no value yet and returns the stored values: the first value of a key is final. */
  keep(scope: TextScope, notes: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>>;
  /** Deletes older notes of all organizations. */
  prune(beforeMs: number): Promise<void>;
}
