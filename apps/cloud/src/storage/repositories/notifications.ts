import { newId } from '../ids.ts';
import { type Notifications, notificationTable } from '../model/notifications.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createNotifications(deps: RepositoryDeps): Notifications {
  return { ...marks(deps), ...messages(deps) };
}

function marks({
  db,
  now,
}: RepositoryDeps): Pick<Notifications, 'mark' | 'listMarks' | 'removeMarks' | 'prune'> {
  return {
    async mark(organizationId, key) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('notification_marks')
        .values({ organization_id: organizationId, key, at_ms: now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    async listMarks(organizationId) {
      const rows = await db
        .selectFrom('notification_marks')
        .select('key')
        .where('organization_id', '=', organizationId)
        .execute();
      return rows.map(({ key }) => key);
    },
    async removeMarks(organizationId, keys) {
      if (keys.length === 0) return;
      await db
        .deleteFrom('notification_marks')
        .where('organization_id', '=', organizationId)
        .where('key', 'in', keys)
        .execute();
    },
    async prune(beforeMs) {
      const { numDeletedRows } = await db
        .deleteFrom('notification_marks')
        .where('at_ms', '<', beforeMs)
        .where('key', 'like', 'request.%')
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

function messages({ db, now }: RepositoryDeps): Pick<Notifications, 'enqueue' | 'takeDue'> {
  return {
    async enqueue(organizationId, added) {
      if (added.length === 0) return;
      const rows = added.map(({ endpointId, event, text, data, dueAtMs }) => ({
        id: newId('ntf'),
        organization_id: organizationId,
        endpoint_id: endpointId,
        event,
        text: toStorableText(text),
        data: toStorableText(JSON.stringify(data)),
        due_at_ms: dueAtMs,
        created_at_ms: now(),
      }));
      await db.insertInto('notifications').values(rows).execute();
    },
    async takeDue(limit) {
      const due = await db
        .selectFrom('notifications')
        .select('id')
        .where('due_at_ms', '<=', now())
        .orderBy('due_at_ms')
        .limit(limit)
        .execute();
      if (due.length === 0) return [];
      const rows = await db
        .deleteFrom('notifications')
        .where(
          'id',
          'in',
          due.map(({ id }) => id),
        )
        .returningAll()
        .execute();
      return rows.map(notificationTable.read).toSorted((one, other) => one.createdAtMs - other.createdAtMs);
    },
  };
}
