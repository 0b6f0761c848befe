import { hidden, json, number, type RecordOf, table, text } from '../table.ts';

/** `flt_…`. A filter of events that a person gave a name; theirs alone. */
export const savedFilterTable = table({
  id: text,
  name: text,
  /** As the page or program wrote it. */
  query: json<string | Readonly<Record<string, string>>>(),
  createdAtMs: number,
  organizationId: hidden(text),
  userId: hidden(text),
});
export type SavedFilter = RecordOf<typeof savedFilterTable>;

export interface SavedFilters {
  insert(
    organizationId: string,
    userId: string,
    filter: Pick<SavedFilter, 'name' | 'query'>,
  ): Promise<SavedFilter>;
  /** By name. */
  list(organizationId: string, userId: string): Promise<readonly SavedFilter[]>;
  remove(organizationId: string, userId: string, filterId: string): Promise<boolean>;
}
