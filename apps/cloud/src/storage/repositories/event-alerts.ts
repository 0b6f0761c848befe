import { newId } from '../ids.ts';
import { type EventAlerts, eventAlertTable } from '../model/event-alerts.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createEventAlerts({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): EventAlerts {
  return {
    async insert(organizationId, { endpointId, name, filter, threshold, windowMinutes }) {
      const row = {
        ...{ id: newId('ala'), organization_id: organizationId, endpoint_id: endpointId },
        ...{ name: toStorableText(name), filter: toStorableText(JSON.stringify(filter)) },
        ...{ threshold, window_minutes: windowMinutes },
        ...{ created_at_ms: now(), notified_at_ms: null, due_at_ms: now() },
      };
      await db.insertInto('event_alerts').values(row).execute();
      return eventAlertTable.read(row);
    },
    async list(organizationId) {
      const rows = await db
        .selectFrom('event_alerts')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('name')
        .orderBy('id')
        .execute();
      return rows.map(eventAlertTable.read);
    },
    async remove(organizationId, alertId) {
      const { numDeletedRows } = await db
        .deleteFrom('event_alerts')
        .where('organization_id', '=', organizationId)
        .where('id', '=', alertId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async listDue(limit) {
      const rows = await db
        .selectFrom('event_alerts')
        .selectAll()
        .where('due_at_ms', '<=', now())
        .orderBy('due_at_ms')
        .limit(limit)
        .execute();
      return rows.map(eventAlertTable.read);
    },
    async plan({ id, dueAtMs: before }, dueAtMs) {
      const { numUpdatedRows } = await db
        .updateTable('event_alerts')
        .set({ due_at_ms: dueAtMs })
        .where('id', '=', id)
        .where('due_at_ms', '=', before)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async noteNotified(alertId, dueAtMs) {
      await db
        .updateTable('event_alerts')
        .set({ notified_at_ms: now(), due_at_ms: dueAtMs })
        .where('id', '=', alertId)
        .execute();
    },
  };
}
