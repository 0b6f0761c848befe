import type { Storage } from '../storage/storage.ts';
import type { Clock } from './clock.ts';

export interface DeleteEventsDeps {
  readonly storage: Pick<Storage, 'events'>;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
}

/**
 * Begins to delete the events of a deleted project, or of a whole organization, in steps that each write an audit row.
 * There may be millions, so no request waits for it. Retention deletes what a crash or a request that is still
 * running leaves behind.
 */
export function startDeletingEvents(
  deps: DeleteEventsDeps,
  organizationId: string,
  projectId: string | null,
): void {
  deps.storage.events.prune(organizationId, projectId, deps.clock.now() + 1).catch((err: unknown) => {
    deps.log.error({ err, organization_id: organizationId }, 'events of what was deleted are left');
  });
}
