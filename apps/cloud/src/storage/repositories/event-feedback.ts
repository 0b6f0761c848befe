import { type EventFeedbackStore, eventFeedbackTable } from '../model/insight.ts';
import { toStorableTextOrNull } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_LISTED = 500;

export function createEventFeedback({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): EventFeedbackStore {
  const select = (organizationId: string) =>
    db.selectFrom('event_marks').selectAll().where('organization_id', '=', organizationId);
  return {
    async set(organizationId, feedback) {
      const row = {
        organization_id: organizationId,
        event_id: feedback.eventId,
        project_id: feedback.event.projectId,
        note: toStorableTextOrNull(feedback.note),
        marked_by: feedback.markedBy,
        event: JSON.stringify(feedback.event),
        created_at_ms: now(),
      };
      await db
        .insertInto('event_marks')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'event_id'])
            .doUpdateSet({ note: row.note, marked_by: row.marked_by, created_at_ms: row.created_at_ms }),
        )
        .execute();
      return eventFeedbackTable.read(row);
    },
    async get(organizationId, eventId) {
      const row = await select(organizationId).where('event_id', '=', eventId).executeTakeFirst();
      return eventFeedbackTable.readOrNull(row);
    },
    async list(organizationId, { projectId, limit = MAX_LISTED } = {}) {
      let query = select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('event_id')
        .limit(Math.min(limit, MAX_LISTED));
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      return (await query.execute()).map(eventFeedbackTable.read);
    },
    async remove(organizationId, eventId) {
      const { numDeletedRows } = await db
        .deleteFrom('event_marks')
        .where('organization_id', '=', organizationId)
        .where('event_id', '=', eventId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}
