import { MAX_BACKLOG } from '@csg/shared/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Backlog, Deliveries } from '../model/deliveries.ts';
import type { Database } from '../schema.ts';
import { toStorableTextOrNull } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

/** Deliveries replayed in one step, so that other writers get a turn. */
const REPLAY_STEP = 1_000;

type Control = 'listAttempts' | 'countPending' | 'listBacklogs' | 'replay';

/** Counts deliveries, shows their attempts, and repeats them. */
export function deliveryControl({ db, reads, now }: RepositoryDeps): Pick<Deliveries, Control> {
  return {
    async listAttempts(organizationId, deliveryId) {
      const rows = await db
        .selectFrom('webhook_attempts as a')
        .innerJoin('webhook_deliveries as d', 'd.id', 'a.delivery_id')
        .selectAll('a')
        .where('d.organization_id', '=', organizationId)
        .where('d.id', '=', deliveryId)
        .orderBy('a.number')
        .execute();
      return rows.map((row) => ({
        number: row.number,
        atMs: row.at_ms,
        responseStatus: row.response_status,
        error: row.error,
        durationMs: row.duration_ms,
        responseExcerpt: row.response_excerpt,
      }));
    },

    async countPending() {
      const { count } = await reads
        .selectFrom('webhook_deliveries')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('status', '=', sql.lit('pending'))
        .executeTakeFirstOrThrow();
      return count;
    },

    async listBacklogs(organizationId, endpointIds) {
      const backlogs: Backlog[] = [];
      for (const endpointId of endpointIds) {
        const rows = await reads
          .selectFrom('webhook_deliveries')
          .select('created_at_ms')
          .where('organization_id', '=', organizationId)
          .where('endpoint_id', '=', endpointId)
          .where('status', '=', sql.lit('pending'))
          .orderBy('due_at_ms')
          .limit(MAX_BACKLOG)
          .execute();
        const oldestMs = Math.min(...rows.map((row) => row.created_at_ms));
        if (rows.length > 0) backlogs.push({ endpointId, count: rows.length, oldestMs });
      }
      return backlogs;
    },

    async replay(organizationId, { endpointId, statuses, fromMs, toMs, limit }) {
      const wanted = (q: ExpressionBuilder<Database, 'webhook_deliveries'>) =>
        q.and([
          q('organization_id', '=', organizationId),
          q('endpoint_id', '=', endpointId),
          q('status', 'in', statuses),
          q('is_test', '=', 0),
          q('created_at_ms', '>=', fromMs),
          q('created_at_ms', '<', toMs),
        ]);
      for (let replayed = 0; ; ) {
        const step = Math.min(REPLAY_STEP, limit - replayed);
        const { numUpdatedRows } = await db
          .updateTable('webhook_deliveries')
          .set({ status: 'pending', failures: 0, due_at_ms: now(), lease_id: null, lease_ends_at_ms: 0 })
          .where('id', 'in', (query) =>
            query
              .selectFrom('webhook_deliveries')
              .select('id')
              .where(wanted)
              .orderBy('created_at_ms')
              .limit(step),
          )
          .executeTakeFirstOrThrow();
        replayed += Number(numUpdatedRows);
        if (numUpdatedRows < BigInt(REPLAY_STEP) || replayed >= limit) return replayed;
      }
    },
  };
}

/** Returns a row of a delivery's history. */
export function attemptRow(
  deliveryId: string,
  number: number,
  atMs: number,
  outcome: {
    readonly responseStatus: number | null;
    readonly lastError: string | null;
    readonly durationMs?: number;
    readonly responseExcerpt?: string | null;
  },
): Database['webhook_attempts'] {
  return {
    delivery_id: deliveryId,
    number,
    at_ms: atMs,
    response_status: outcome.responseStatus,
    error: toStorableTextOrNull(outcome.lastError?.slice(0, 500) ?? null),
    duration_ms: Math.round(outcome.durationMs ?? 0),
    response_excerpt: toStorableTextOrNull(outcome.responseExcerpt ?? null),
  };
}
