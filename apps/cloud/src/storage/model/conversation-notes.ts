import type { TextScope } from './allowed-texts.ts';

/**
 * What a note is about: the block of the response to a request, the exception that excused a text, or what a classifier
 * said about its passages.
 */
export type NoteKind = 'block' | 'exception' | 'opinion';

/** What was decided about a text of a conversation and holds for the rest of it. The text itself is not stored. */
export interface ConversationNoteRow {
  organization_id: string;
  project_id: string | null;
  /** The kind, a colon, and a keyed digest. */
  note_key: string;
  value: string;
  at_ms: number;
}

export interface ConversationNotes {
  /** The same parts have the same key in one project, and another one in every other. Stores nothing. */
  keyOf(scope: TextScope, kind: NoteKind, parts: readonly string[]): string;
  hasAny(scope: TextScope, kind: NoteKind): Promise<boolean>;
  /** The values of those keys that have one. */
  find(scope: TextScope, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Stores what has no value yet, and returns the values that count: the first one stored stays. */
  keep(scope: TextScope, notes: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>>;
  /** Deletes what is older, of all organizations. */
  prune(beforeMs: number): Promise<void>;
}
