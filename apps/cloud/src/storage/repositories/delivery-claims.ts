import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import { newId } from '../ids.ts';
import {
  type ClaimedDelivery,
  type Deliveries,
  type DeliveryOutcome,
  deliveryTable,
} from '../model/deliveries.ts';
import type { Database } from '../schema.ts';
import { toStorableText } from '../stored-values.ts';
import { attemptRow } from './delivery-control.ts';
import { newDeliveryRow } from './delivery-rows.ts';
import { deliveryTarget } from './endpoint-rows.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_ERROR = 500;

/** Leases of deliveries: one process at a time attempts a delivery. */
export function deliveryClaims(
  deps: RepositoryDeps,
  dialect: SqlDialect,
  get: Deliveries['get'],
): Pick<Deliveries, 'claim' | 'claimOne' | 'settle' | 'record'> {
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
          .returning(['id', 'attempts', 'endpoint_id', 'is_test'])
          .executeTakeFirst();
        if (row !== undefined && outcome.isAttempt) await noteAttempt(tx, row, outcome, now());
        return row !== undefined;
      });
    },

    async record(organizationId, delivery, outcome) {
      const row = {
        ...newDeliveryRow(organizationId, delivery, now()),
        ...{ ...settledColumns(outcome), attempts: 1, last_attempt_at_ms: now() },
      };
      const write = async (tx: Kysely<Database>) => {
        await tx.insertInto('webhook_deliveries').values(row).execute();
        await noteAttempt(tx, row, outcome, now());
      };
      await (db.isTransaction ? write(db) : db.transaction().execute(write));
      return deliveryTable.read(row);
    },
  };
}

/** Writes an attempt into the history of its delivery, and its result to its endpoint. */
async function noteAttempt(
  tx: Kysely<Database>,
  { id, attempts, endpoint_id, is_test }: AttemptedRow,
  outcome: DeliveryOutcome,
  atMs: number,
): Promise<void> {
  await tx
    .insertInto('webhook_attempts')
    .values(attemptRow(id, attempts, atMs, outcome))
    .execute();
  const { lastError } = outcome;
  await tx
    .updateTable('endpoints')
    .set(
      lastError === null
        ? { last_error: null, last_success_at_ms: atMs }
        : { last_error: storedError(lastError), last_failure_at_ms: atMs },
    )
    .$if(is_test === 0, (query) =>
      lastError === null
        ? query.set((q) => ({ succeeded: q('succeeded', '+', 1), failures: 0, failing_since_ms: null }))
        : query.set((q) => ({
            failed: q('failed', '+', 1),
            failures: q('failures', '+', 1),
            failing_since_ms: q.fn.coalesce('failing_since_ms', q.val(atMs)),
          })),
    )
    .where('id', '=', endpoint_id)
    .execute();
}

type AttemptedRow = Pick<Database['webhook_deliveries'], 'id' | 'attempts' | 'endpoint_id' | 'is_test'>;

/** Adds the destination and signing secrets to each delivery. */
async function withTargets(
  { db, vault, now }: RepositoryDeps,
  rows: readonly Database['webhook_deliveries'][],
): Promise<readonly ClaimedDelivery[]> {
  const ids = [...new Set(rows.map(({ endpoint_id }) => endpoint_id))];
  if (ids.length === 0) return [];
  const found = await db.selectFrom('endpoints').selectAll().where('id', 'in', ids).execute();
  const targets = new Map(found.map((row) => [row.id, deliveryTarget(vault, row, now())]));
  const gone = { url: null, isEnabled: false, secrets: [] };
  return rows.map((row) => ({
    ...deliveryTable.read(row),
    leaseId: row.lease_id ?? '',
    target: targets.get(row.endpoint_id) ?? gone,
  }));
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
        select endpoint_id from webhook_deliveries where status = 'pending' order by endpoint_id limit 1
      ) as f
      union all
      select (
        select endpoint_id from webhook_deliveries where status = 'pending' and endpoint_id > waiting.endpoint
        order by endpoint_id limit 1
      ) from waiting where waiting.endpoint is not null
    )
    select * from (
      select endpoint, (
        select due_at_ms from webhook_deliveries
        where status = 'pending' and endpoint_id = waiting.endpoint and due_at_ms <= ${nowMs}
          and lease_ends_at_ms <= ${nowMs}
        order by due_at_ms limit 1
      ) as due_at_ms
      from waiting
      where endpoint is not null and endpoint not in (select id from endpoints where paused_at_ms is not null)
    ) as w where due_at_ms is not null order by due_at_ms, endpoint`.execute(db);
  return rows;
}

function dueOf(tx: Kysely<Database>, endpoint: string, nowMs: number) {
  return tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', sql.lit('pending'))
    .where('endpoint_id', '=', endpoint)
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
    last_error: outcome.lastError === null ? null : storedError(outcome.lastError),
    due_at_ms: outcome.dueAtMs,
  };
}

const storedError = (error: string): string => toStorableText(error.slice(0, MAX_ERROR));
