import { newId } from '../ids.ts';
import {
  type FailingEndpoint,
  type Notifications,
  type NotificationTarget,
  notificationTable,
  notificationTargetTable,
} from '../model/notifications.ts';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import { openText, sealText } from '../sealing/sealed-text.ts';
import type { Vault } from '../sealing/vault.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_ERROR = 500;
/** Maximum failures of one organization that are read to find failing endpoints. */
const MAX_FAILURES = 2_000;

export function createNotifications(deps: RepositoryDeps): Notifications {
  return { ...targets(deps), ...marks(deps), ...messages(deps), ...failingEndpoints(deps) };
}

type Targets =
  | 'insertTarget'
  | 'listTargets'
  | 'getTarget'
  | 'removeTarget'
  | 'listOrganizations'
  | 'noteResult';

function targets({ db, vault, now }: RepositoryDeps): Pick<Notifications, Targets> {
  return {
    async insertTarget(organizationId, { kind, address, events, digest, quietHours, secret }) {
      const id = newId('ntf');
      const row = {
        id,
        organization_id: organizationId,
        kind,
        address: sealText(vault, toStorableText(address), SEAL_CONTEXTS.notificationTarget(id)),
        events: events === null ? null : JSON.stringify(events),
        digest,
        quiet_hours: quietHours === null ? null : JSON.stringify(quietHours),
        sealed_secret: secret === null ? null : vault.seal(secret, SEAL_CONTEXTS.notificationSecret(id)),
        last_error: null,
        last_sent_at_ms: null,
        created_at_ms: now(),
      };
      await db.insertInto('notification_targets').values(row).execute();
      return toTarget(row, vault);
    },
    async listTargets(organizationId) {
      const rows = await db
        .selectFrom('notification_targets')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map((row) => toTarget(row, vault));
    },
    async getTarget(targetId) {
      const row = await db
        .selectFrom('notification_targets')
        .selectAll()
        .where('id', '=', targetId)
        .executeTakeFirst();
      return row === undefined ? null : toTarget(row, vault);
    },
    async removeTarget(organizationId, targetId) {
      const { numDeletedRows } = await db
        .deleteFrom('notification_targets')
        .where('organization_id', '=', organizationId)
        .where('id', '=', targetId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async listOrganizations() {
      const rows = await db.selectFrom('notification_targets').select('organization_id').distinct().execute();
      return rows.map(({ organization_id }) => organization_id);
    },
    async noteResult(targetId, error) {
      await db
        .updateTable('notification_targets')
        .set(
          error === null
            ? { last_error: null, last_sent_at_ms: now() }
            : { last_error: toStorableText(error.slice(0, MAX_ERROR)) },
        )
        .where('id', '=', targetId)
        .execute();
    },
  };
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

function messages({
  db,
  now,
}: RepositoryDeps): Pick<Notifications, 'enqueue' | 'claim' | 'remove' | 'postpone'> {
  return {
    async enqueue(added) {
      if (added.length === 0) return;
      const rows = added.map(({ targetId, event, text, data, dueAtMs }) => ({
        id: newId('ntf'),
        target_id: targetId,
        event,
        text: toStorableText(text),
        data: toStorableText(JSON.stringify(data)),
        attempts: 0,
        due_at_ms: dueAtMs,
        created_at_ms: now(),
      }));
      await db.insertInto('notifications').values(rows).execute();
    },
    async claim(limit, leaseMs) {
      const due = await db
        .selectFrom('notifications')
        .select('id')
        .where('due_at_ms', '<=', now())
        .orderBy('due_at_ms')
        .limit(limit)
        .execute();
      if (due.length === 0) return [];
      const rows = await db
        .updateTable('notifications')
        .set((q) => ({ due_at_ms: now() + leaseMs, attempts: q('attempts', '+', 1) }))
        .where(
          'id',
          'in',
          due.map(({ id }) => id),
        )
        // Of two concurrent callers, the second finds it leased.
        .where('due_at_ms', '<=', now())
        .returningAll()
        .execute();
      return rows.map(notificationTable.read).toSorted((one, other) => one.createdAtMs - other.createdAtMs);
    },
    async remove(ids) {
      if (ids.length > 0) await db.deleteFrom('notifications').where('id', 'in', ids).execute();
    },
    async postpone(ids, dueAtMs) {
      if (ids.length === 0) return;
      await db.updateTable('notifications').set({ due_at_ms: dueAtMs }).where('id', 'in', ids).execute();
    },
  };
}

function failingEndpoints({ reads }: RepositoryDeps): Pick<Notifications, 'listFailingEndpoints'> {
  return {
    async listFailingEndpoints(organizationId, sinceMs) {
      const attempted = () =>
        reads
          .selectFrom('webhook_deliveries')
          .where('organization_id', '=', organizationId)
          .where('created_at_ms', '>=', sinceMs)
          .where('last_attempt_at_ms', 'is not', null)
          .where('is_test', '=', 0);
      const failures = await attempted()
        .select(['project_id', 'webhook_id', 'failures', 'created_at_ms', 'last_attempt_at_ms'])
        .where('status', '<>', 'delivered')
        .where('failures', '>', 0)
        .orderBy('created_at_ms', 'desc')
        .limit(MAX_FAILURES)
        .execute();
      if (failures.length === 0) return [];
      const successes = await attempted()
        .select(['project_id', 'webhook_id'])
        .select((q) => q.fn.max('last_attempt_at_ms').as('at_ms'))
        .where('status', '=', 'delivered')
        .groupBy(['project_id', 'webhook_id'])
        .execute();
      const nameOf = (row: { project_id: string | null; webhook_id: string | null }) =>
        row.webhook_id ?? row.project_id ?? '';
      const lastSuccess = new Map(successes.map((row) => [nameOf(row), row.at_ms ?? 0]));
      const failing = new Map<string, FailingEndpoint>();
      for (const row of failures) {
        const name = nameOf(row);
        if ((row.last_attempt_at_ms ?? 0) <= (lastSuccess.get(name) ?? 0)) continue;
        const known = failing.get(name);
        failing.set(name, {
          projectId: row.project_id,
          webhookId: row.webhook_id,
          failedAttempts: (known?.failedAttempts ?? 0) + row.failures,
          sinceMs: Math.min(known?.sinceMs ?? Number.MAX_SAFE_INTEGER, row.created_at_ms),
        });
      }
      return [...failing.values()];
    },
  };
}

function toTarget(row: Database['notification_targets'], vault: Vault): NotificationTarget {
  return {
    ...notificationTargetTable.read(row),
    address: openText(vault, row.address, SEAL_CONTEXTS.notificationTarget(row.id)),
    secret:
      row.sealed_secret === null
        ? null
        : vault.open(row.sealed_secret, SEAL_CONTEXTS.notificationSecret(row.id)),
  };
}
