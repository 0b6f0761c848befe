import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import { type Deliveries, deliveryTable } from '../model/deliveries.ts';
import type { Database } from '../schema.ts';
import { deliveryClaims } from './delivery-claims.ts';
import { deliveryControl } from './delivery-control.ts';
import { newDeliveryRow } from './delivery-rows.ts';
import { listSize } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const PRUNE_STEP = 1_000;

export function createDeliveries(deps: RepositoryDeps, dialect: SqlDialect): Deliveries {
  const { db, reads, now } = deps;
  const select = (organizationId: string, from: Kysely<Database> = db) =>
    from.selectFrom('webhook_deliveries').selectAll().where('organization_id', '=', organizationId);

  const deliveries: Pick<Deliveries, 'enqueue' | 'get' | 'list' | 'retry' | 'prune'> = {
    async enqueue(organizationId, added) {
      if (added.length === 0) return [];
      const rows = added.map((delivery) => newDeliveryRow(organizationId, delivery, now()));
      await db.insertInto('webhook_deliveries').values(rows).execute();
      return rows.map(deliveryTable.read);
    },

    async get(organizationId, deliveryId) {
      const row = await select(organizationId).where('id', '=', deliveryId).executeTakeFirst();
      return deliveryTable.readOrNull(row);
    },

    async list(organizationId, { kinds, endpointId, projectId, status, event, limit, before } = {}) {
      let query = select(organizationId, reads)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(listSize(limit));
      if (kinds !== undefined) query = query.where('kind', 'in', kinds);
      if (endpointId !== undefined) query = query.where('endpoint_id', '=', endpointId);
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      // A literal, so that the engines can use the small index of failures.
      if (status !== undefined) query = query.where('status', '=', sql.lit(status));
      // An unknown name matches nothing.
      if (event !== undefined) query = query.where('event', '=', event);
      if (before !== undefined) {
        const { createdAtMs, id } = before;
        query = query.where((q) => q(q.refTuple('created_at_ms', 'id'), '<', q.tuple(createdAtMs, id)));
      }
      return (await query.execute()).map(deliveryTable.read);
    },

    async retry(organizationId, deliveryId) {
      const row = await db
        .updateTable('webhook_deliveries')
        .set({ status: 'pending', failures: 0, due_at_ms: now(), lease_id: null, lease_ends_at_ms: 0 })
        .where('organization_id', '=', organizationId)
        .where('id', '=', deliveryId)
        .where('status', '=', 'failed')
        .returningAll()
        .executeTakeFirst();
      return deliveryTable.readOrNull(row);
    },

    async prune(beforeMs) {
      for (let pruned = 0; ; ) {
        const { numDeletedRows } = await db
          .deleteFrom('webhook_deliveries')
          .where('id', 'in', (query) =>
            query
              .selectFrom('webhook_deliveries')
              .select('id')
              .where('created_at_ms', '<', beforeMs)
              .where('status', '<>', 'pending')
              .orderBy('created_at_ms')
              .limit(PRUNE_STEP),
          )
          .executeTakeFirstOrThrow();
        pruned += Number(numDeletedRows);
        if (numDeletedRows < BigInt(PRUNE_STEP)) return pruned;
      }
    },
  };
  return {
    ...deliveries,
    ...deliveryClaims(deps, dialect, deliveries.get),
    ...deliveryControl(deps),
  };
}
