import type { ThreatType } from '@csg/shared/contract';
import { hidden, json, number, orNull, type RecordOf, table, text } from '../table.ts';

/** `alt_…`. A text that an approver allowed: what is said of it is no attack. The text itself is not stored. */
export const allowedTextTable = table({
  id: text,
  projectId: orNull(text),
  /** Whose words, a colon, and a keyed digest. */
  textKey: text,
  /** Findings of these types no longer count in it. */
  threatTypes: json<readonly ThreatType[]>(),
  /** The event in which it was reported. */
  eventId: text,
  /** A user's id. */
  approvedBy: text,
  createdAtMs: number,
  organizationId: hidden(text),
});
export type AllowedText = RecordOf<typeof allowedTextTable>;

export interface TextScope {
  readonly organizationId: string;
  /** null: of devices that belong to no project. */
  readonly projectId: string | null;
}

export interface AllowedTexts {
  /** The same text of the same role has the same key in one project, and another one in every other. Stores nothing. */
  keyOf(scope: TextScope, role: string, text: string): string;
  insert(
    scope: TextScope,
    text: Pick<AllowedText, 'textKey' | 'threatTypes' | 'eventId' | 'approvedBy'>,
  ): Promise<AllowedText>;
  /** Those of these keys. */
  find(scope: TextScope, textKeys: readonly string[]): Promise<readonly AllowedText[]>;
  /** Newest first, at most 500. */
  list(organizationId: string, filter?: { readonly projectId?: string }): Promise<readonly AllowedText[]>;
  /** null: there was none. */
  remove(organizationId: string, allowedTextId: string): Promise<AllowedText | null>;
  /** All that came of one event; returns how many. */
  removeOfEvent(organizationId: string, eventId: string): Promise<number>;
}
