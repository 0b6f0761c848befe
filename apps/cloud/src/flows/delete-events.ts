import type { Storage } from '../storage/storage.ts';
import type { Clock } from './clock.ts';

export interface DeleteEventsDeps {
  readonly storage: Pick<Storage, 'events'>;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
}

/**
 * Starts to delete the events of a deleted project or organization, in steps that each write an audit row. There may be
 * millions, so requests do not wait for it. Events left by a crash, or by a request that is still running, are deleted
 * by retention.
 */
export function startDeletingEvents(
  deps: DeleteEventsDeps,
  organizationId: string,
  projectId: string | null,
): void {
  deps.storage.events.prune(organizationId, projectId, deps.clock.now() + 1).catch((err: unknown) => {
    deps.log.error({ err, organization_id: organizationId }, 'events of deleted projects remain');
  });
}
