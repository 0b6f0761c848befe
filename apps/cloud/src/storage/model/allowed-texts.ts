import type { ThreatType } from '@csg/shared/contract';
import { hidden, json, number, orNull, type RecordOf, table, text } from '../table.ts';

/** `alt_…`. A text that an approver allowed: findings of attacks in it are ignored. The text itself is not stored. */
export const allowedTextTable = table({
  id: text,
  projectId: orNull(text),
  /** The role, a colon, and a keyed digest. */
  textKey: text,
  /** Findings of these types are ignored in the text. */
  threatTypes: json<readonly ThreatType[]>(),
  /** The event in which it was reported. */
  eventId: text,
  /** User id of the approver. */
  approvedBy: text,
  createdAtMs: number,
  organizationId: hidden(text),
});
export type AllowedText = RecordOf<typeof allowedTextTable>;

export interface TextScope {
  readonly organizationId: string;
  /** null: for devices that belong to no project. */
  readonly projectId: string | null;
}

export interface AllowedTexts {
  /** Returns a key that is stable for a text and role in one project and different in every other. Stores nothing. */
  keyOf(scope: TextScope, role: string, text: string): string;
  insert(
    scope: TextScope,
    text: Pick<AllowedText, 'textKey' | 'threatTypes' | 'eventId' | 'approvedBy'>,
  ): Promise<AllowedText>;
  /** Returns those with one of these keys. */
  find(scope: TextScope, textKeys: readonly string[]): Promise<readonly AllowedText[]>;
  /** Newest first, at most 500. */
  list(organizationId: string, filter?: { readonly projectId?: string }): Promise<readonly AllowedText[]>;
  /** null: no such text. */
  remove(organizationId: string, allowedTextId: string): Promise<AllowedText | null>;
  /** Removes all texts allowed because of one event; returns how many. */
  removeOfEvent(organizationId: string, eventId: string): Promise<number>;
}
