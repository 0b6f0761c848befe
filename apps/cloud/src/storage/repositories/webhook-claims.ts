import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { newId } from '../ids.ts';
import type { DeliveryOutcome, Webhooks } from '../model/webhooks.ts';
import type { Database } from '../schema.ts';
import type { SqlGaps } from '../sql-gaps.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';
import { attemptRow } from './webhook-control.ts';
import { withTargets } from './webhook-targets.ts';

/** How many due deliveries are read to find those whose endpoint is free. */
const CANDIDATES = 64;
const MAX_ERROR = 500;
const ENDPOINT = sql<string>`coalesce(webhook_id, project_id, organization_id)`;

/** Leases of deliveries: one process at a time attempts one. */
export function webhookClaims(
  deps: RepositoryDeps,
  gaps: SqlGaps,
  get: Webhooks['get'],
): Pick<Webhooks, 'claim' | 'claimOne' | 'settle'> {
  const { db, now } = deps;
  return {
    async claim({ limit, perEndpoint, busy, leaseMs }) {
      const underWay = new Map(busy);
      const full = () => [...underWay].filter(([, count]) => count >= perEndpoint).map(([id]) => id);
      const claimed: Database['webhook_deliveries'][] = [];
      while (claimed.length < limit) {
        // Looked at before it is locked: most of the time nothing is due, and nothing need wait for that.
        if ((await due(db, now(), full()).limit(1).execute()).length === 0) break;
        const rows = await db.transaction().execute(async (tx) => {
          const chosen: string[] = [];
          for (const row of await due(tx, now(), full())
            .$call((query) => gaps.takeFree(query))
            .execute()) {
            const name = row.webhook_id ?? row.project_id ?? row.organization_id;
            const count = underWay.get(name) ?? 0;
            if (count >= perEndpoint || claimed.length + chosen.length >= limit) continue;
            underWay.set(name, count + 1);
            chosen.push(row.id);
          }
          return await lease(tx, now(), chosen, leaseMs);
        });
        if (rows.length === 0) break;
        claimed.push(...rows);
      }
      return await withTargets(deps, claimed);
    },

    async claimOne(organizationId, deliveryId, leaseMs) {
      const found = await get(organizationId, deliveryId);
      const rows = await lease(db, now(), found === null ? [] : [deliveryId], leaseMs);
      return (await withTargets(deps, rows))[0] ?? null;
    },

    async settle(delivery, outcome) {
      const settled = { ...settledColumns(outcome), lease_id: null, lease_ends_at_ms: 0 };
      return await db.transaction().execute(async (tx) => {
        const row = await tx
          .updateTable('webhook_deliveries')
          .set(settled)
          .$if(outcome.isAttempt, (query) =>
            query.set((q) => ({ attempts: q('attempts', '+', 1), last_attempt_at_ms: now() })),
          )
          .where('id', '=', delivery.id)
          .where('lease_id', '=', delivery.leaseId)
          .returning('attempts')
          .executeTakeFirst();
        if (row !== undefined && outcome.isAttempt) {
          const attempt = attemptRow(delivery.id, row.attempts, now(), outcome);
          await tx.insertInto('webhook_attempts').values(attempt).execute();
        }
        return row !== undefined;
      });
    },
  };
}

function due(from: Kysely<Database>, nowMs: number, full: readonly string[]) {
  // `full` by project, which the index holds: a dead receiver's backlog is passed over without reading its rows.
  return from
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'project_id', 'organization_id'])
    .where('status', '=', sql.lit('pending'))
    .where('due_at_ms', '<=', nowMs)
    .where('lease_ends_at_ms', '<=', nowMs)
    .where(ENDPOINT, 'not in', (query) => query.selectFrom('webhook_pauses').select('endpoint_id'))
    .$if(full.length > 0, (query) => query.where(ENDPOINT, 'not in', full))
    .orderBy('due_at_ms')
    .limit(CANDIDATES);
}

async function lease(
  tx: Kysely<Database>,
  nowMs: number,
  ids: readonly string[],
  leaseMs: number,
): Promise<readonly Database['webhook_deliveries'][]> {
  if (ids.length === 0) return [];
  return await tx
    .updateTable('webhook_deliveries')
    .set({ lease_id: newId('whd'), lease_ends_at_ms: nowMs + leaseMs })
    .where('id', 'in', ids)
    .where('status', '=', sql.lit('pending'))
    .where('lease_ends_at_ms', '<=', nowMs)
    .returningAll()
    .execute();
}

function settledColumns(outcome: DeliveryOutcome) {
  return {
    status: outcome.status,
    failures: outcome.failures,
    response_status: outcome.responseStatus,
    last_error: outcome.lastError === null ? null : toStorableText(outcome.lastError.slice(0, MAX_ERROR)),
    due_at_ms: outcome.dueAtMs,
  };
}
