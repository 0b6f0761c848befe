import { newId } from '../ids.ts';
import { type EventFeedbackStore, eventFeedbackTable } from '../model/insight.ts';
import { toStorableTextOrNull } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_LISTED = 500;

export function createEventFeedback({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): EventFeedbackStore {
  const select = (organizationId: string) =>
    db.selectFrom('event_marks').selectAll().where('organization_id', '=', organizationId);
  return {
    async set(organizationId, { eventId, note, markedBy, requesterUserId, allowText, status, event }) {
      const fields = {
        note: toStorableTextOrNull(note),
        marked_by: markedBy,
        requester_user_id: requesterUserId,
        allow_text: Number(allowText),
        status,
        created_at_ms: now(),
      };
      const row = await db
        .insertInto('event_marks')
        .values({
          ...fields,
          id: newId('fbk'),
          organization_id: organizationId,
          event_id: eventId,
          project_id: event.projectId,
          event: JSON.stringify(event),
          decided_by: null,
          decision_reason: null,
          decided_at_ms: null,
        })
        .onConflict((conflict) => conflict.columns(['organization_id', 'event_id']).doUpdateSet(fields))
        .returningAll()
        .executeTakeFirstOrThrow();
      return eventFeedbackTable.read(row);
    },
    async get(organizationId, eventId) {
      const row = await select(organizationId).where('event_id', '=', eventId).executeTakeFirst();
      return eventFeedbackTable.readOrNull(row);
    },
    async find(organizationId, feedbackId) {
      const row = await select(organizationId).where('id', '=', feedbackId).executeTakeFirst();
      return eventFeedbackTable.readOrNull(row);
    },
    async decide(organizationId, feedbackId, { approve, decidedBy, reason }) {
      const row = await db
        .updateTable('event_marks')
        .set({
          status: approve ? 'approved' : 'denied',
          decided_by: decidedBy,
          decision_reason: toStorableTextOrNull(reason),
          decided_at_ms: now(),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', feedbackId)
        .where('status', '=', 'pending')
        .returningAll()
        .executeTakeFirst();
      return eventFeedbackTable.readOrNull(row);
    },
    async list(organizationId, { projectId, status, limit = MAX_LISTED } = {}) {
      let query = select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('event_id')
        .limit(Math.min(limit, MAX_LISTED));
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      if (status !== undefined) query = query.where('status', '=', status);
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
