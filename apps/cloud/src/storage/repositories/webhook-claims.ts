import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import { newId } from '../ids.ts';
import type { DeliveryOutcome, Webhooks } from '../model/webhooks.ts';
import type { Database } from '../schema.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';
import { attemptRow } from './webhook-control.ts';
import { withTargets } from './webhook-targets.ts';

const MAX_ERROR = 500;
const ENDPOINT = sql<string>`coalesce(webhook_id, project_id, organization_id)`;

/** Leases of deliveries: one process at a time attempts a delivery. */
export function webhookClaims(
  deps: RepositoryDeps,
  dialect: SqlDialect,
  get: Webhooks['get'],
): Pick<Webhooks, 'claim' | 'claimOne' | 'settle'> {
  const { db, now } = deps;
  return {
    async claim({ limit, perEndpoint, busy, leaseMs }) {
      const roomOf = ({ endpoint }: WaitingEndpoint) => perEndpoint - (busy.get(endpoint) ?? 0);
      // Usually nothing is due, and then nothing else is read or locked.
      const waiting = (await isAnyDue(db, now())) ? await listWaiting(db, now()) : [];
      const free = waiting.filter((one) => roomOf(one) > 0);
      if (free.length === 0) return [];
      const claimed = await db.transaction().execute(async (tx) => {
        const chosen: string[] = [];
        for (const one of free) {
          if (chosen.length >= limit) break;
          const due = await dueOf(tx, one.endpoint, now())
            .limit(Math.min(limit - chosen.length, roomOf(one)))
            .$call((query) => dialect.lockFreeRows(query))
            .execute();
          chosen.push(...due.map(({ id }) => id));
        }
        return await lease(tx, now(), chosen, leaseMs);
      });
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

interface WaitingEndpoint {
  readonly endpoint: string;
  readonly due_at_ms: number | null;
}

async function isAnyDue(db: Kysely<Database>, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', sql.lit('pending'))
    .where('due_at_ms', '<=', nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the endpoints that are not paused and have due deliveries, longest waiting first. Steps through the index
 * from one endpoint to the next, so that the backlog of a paused or dead endpoint costs a single step.
 */
async function listWaiting(db: Kysely<Database>, nowMs: number): Promise<readonly WaitingEndpoint[]> {
  const { rows } = await sql<WaitingEndpoint>`
    with recursive waiting(endpoint) as (
      select * from (
        select ${ENDPOINT} from webhook_deliveries where status = 'pending' order by ${ENDPOINT} limit 1
      ) as f
      union all
      select (
        select ${ENDPOINT} from webhook_deliveries where status = 'pending' and ${ENDPOINT} > waiting.endpoint
        order by ${ENDPOINT} limit 1
      ) from waiting where waiting.endpoint is not null
    )
    select * from (
      select endpoint, (
        select due_at_ms from webhook_deliveries
        where status = 'pending' and ${ENDPOINT} = waiting.endpoint and due_at_ms <= ${nowMs}
          and lease_ends_at_ms <= ${nowMs}
        order by due_at_ms limit 1
      ) as due_at_ms
      from waiting
      where endpoint is not null and endpoint not in (select endpoint_id from webhook_pauses)
    ) as w where due_at_ms is not null order by due_at_ms, endpoint`.execute(db);
  return rows;
}

function dueOf(tx: Kysely<Database>, endpoint: string, nowMs: number) {
  return tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', sql.lit('pending'))
    .where(ENDPOINT, '=', endpoint)
    .where('due_at_ms', '<=', nowMs)
    .where('lease_ends_at_ms', '<=', nowMs)
    .orderBy('due_at_ms');
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
