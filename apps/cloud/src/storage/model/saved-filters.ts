import { hidden, json, number, type RecordOf, table, text } from '../table.ts';

/** `flt_…`. A named event filter, visible only to the person who saved it. */
export const savedFilterTable = table({
  id: text,
  name: text,
  /** As the client wrote it. */
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
  /** Ordered by name. */
  list(organizationId: string, userId: string): Promise<readonly SavedFilter[]>;
  remove(organizationId: string, userId: string, filterId: string): Promise<boolean>;
}
