import { CodedError, type SaveFilter } from '@csg/shared/contract';
import type { SavedFilter, Storage } from '../../storage/storage.ts';

const MAX_FILTERS = 100;

/** Saves a named event filter for its person, up to the limit. */
export async function saveFilter(
  { storage }: { readonly storage: Pick<Storage, 'transaction'> },
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  { name, query }: SaveFilter,
): Promise<SavedFilter> {
  return await storage.transaction(async ({ members, savedFilters }) => {
    // Of two concurrent calls, the second counts the filter of the first.
    await members.lock(organizationId, userId);
    if ((await savedFilters.list(organizationId, userId)).length >= MAX_FILTERS) {
      throw new CodedError('plan_limit_reached', {
        message: `You can save at most ${MAX_FILTERS} filters. Delete one first.`,
        fields: { limit: MAX_FILTERS },
      });
    }
    return await savedFilters.insert(organizationId, userId, { name: name.trim(), query });
  });
}
