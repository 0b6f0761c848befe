import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import { EVENTS_DELETED_KIND } from '../audit/deleted-events.ts';
import { rowToEvent } from '../batch/prepare-decision.ts';
import type { EventFilter, EventSearch, Events } from '../model/events.ts';
import type { Database } from '../schema.ts';
import type { SqlGaps } from '../sql-gaps.ts';
import { StorageError } from '../storage-error.ts';
import { inSteps } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_PAGE = 1_000;
const PRUNE_STEP = 1_000;
const DAY_MS = 86_400_000;

export interface EventsDeps extends RepositoryDeps {
  readonly gaps: SqlGaps;
  /** Called after each audit row that deletion has written. */
  readonly onGrown: (organizationId: string) => void;
}

export function createEvents(deps: EventsDeps): Events {
  return {
    ...eventLookups(deps),
    ...eventPruning(deps),
  };
}

function eventLookups(deps: EventsDeps): Pick<Events, 'get' | 'find' | 'page'> {
  const { db, reads } = deps;
  const select = (organizationId: string, filter: EventFilter) => {
    let query = reads.selectFrom('security_events').selectAll().where('organization_id', '=', organizationId);
    if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
    if (filter.keyId !== undefined) query = query.where('key_id', '=', filter.keyId);
    if (filter.deviceId !== undefined) query = query.where('device_id', '=', filter.deviceId);
    if (filter.model !== undefined) query = query.where('model', '=', filter.model);
    if (filter.search !== undefined) query = query.where(matches(filter.search));
    if (filter.hasFindings) query = query.where('findings', 'is not', null);
    if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction);
    if (filter.fromMs !== undefined) query = query.where('at_ms', '>=', filter.fromMs);
    if (filter.toMs !== undefined) query = query.where('at_ms', '<', filter.toMs);
    if (filter.threatType !== undefined) query = query.where('threat_type', '=', filter.threatType);
    if (filter.decision !== undefined) query = query.where('decision', '=', filter.decision);
    if (filter.policyId !== undefined) {
      query = query
        .where('decided_by', '=', `policy:${filter.policyId}`)
        // As in the definition of the index, so that the engines use it.
        .where(sql<boolean>`threat_type is not null`);
    }
    // Written as a literal, so that the engines see that the small index over refusals will do.
    if (filter.decision !== undefined && filter.decision !== 'allow') {
      query = query.where(sql<boolean>`decision <> 'allow'`);
    }
    return query;
  };
  return {
    async get(organizationId, eventId) {
      const row = await db
        .selectFrom('security_events')
        .selectAll()
        .where('id', '=', eventId)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return row === undefined ? null : rowToEvent(row);
    },
    async find(organizationId, eventIds) {
      const rows = await inSteps(eventIds, (ids) =>
        reads
          .selectFrom('security_events')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('id', 'in', ids)
          .execute(),
      );
      return rows.map(rowToEvent);
    },
    async page(organizationId, { filter = {}, limit = 50, after } = {}) {
      const size = Math.max(1, Math.min(limit, MAX_PAGE));
      let query = select(organizationId, filter)
        .orderBy('at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(size + 1);
      if (after !== undefined) {
        const { atMs, id } = readCursor(after);
        query = query
          .where('at_ms', '<=', atMs)
          .where((q) => q.or([q('at_ms', '<', atMs), q.and([q('at_ms', '=', atMs), q('id', '<', id)])]));
      }
      const found = await query.execute();
      const events = found.slice(0, size).map(rowToEvent);
      const last = events.at(-1);
      return { events, next: found.length > size && last !== undefined ? `${last.atMs}.${last.id}` : null };
    },
  };
}

function matches({ text, projectIds, keyIds, deviceIds }: EventSearch) {
  return (q: ExpressionBuilder<Database, 'security_events'>): Expression<SqlBool> =>
    q.or([
      q('id', '=', text),
      q('request_id', '=', text),
      // A finding is stored as a list that begins with its rule; quotes within its other texts are escaped.
      sql<SqlBool>`findings like ${`%["${escapeLike(text.toLowerCase())}%`} escape '!'`,
      ...(projectIds.length === 0 ? [] : [q('project_id', 'in', projectIds)]),
      ...(keyIds.length === 0 ? [] : [q('key_id', 'in', keyIds)]),
      ...(deviceIds.length === 0 ? [] : [q('device_id', 'in', deviceIds)]),
    ]);
}

function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}

function eventPruning(deps: EventsDeps): Pick<Events, 'prune' | 'pruneExpired'> {
  const { db } = deps;
  async function prune(
    organizationId: string,
    beforeMs: number,
    which: (q: ExpressionBuilder<Database, 'security_events'>) => Expression<SqlBool>,
  ): Promise<number> {
    for (let pruned = 0; ; ) {
      const deleted = await db.transaction().execute(async (tx) => {
        const rows = await tx
          .deleteFrom('security_events')
          .where('id', 'in', (query) =>
            query
              .selectFrom('security_events')
              .select('id')
              .where('organization_id', '=', organizationId)
              .where('at_ms', '<', beforeMs)
              .where(which)
              .orderBy('at_ms')
              .limit(PRUNE_STEP),
          )
          .returning('project_id')
          .execute();
        if (rows.length === 0) return 0;
        // In the same transaction: verification must never miss an event without knowing why.
        await appendAudit(tx, deps, {
          organizationId,
          kind: EVENTS_DELETED_KIND,
          actor: 'system',
          subject: organizationId,
          data: {
            before_ms: beforeMs,
            events: rows.length,
            project_ids: [...new Set(rows.map((row) => row.project_id))].sort(),
          },
        });
        return rows.length;
      });
      if (deleted > 0) deps.onGrown(organizationId);
      pruned += deleted;
      if (deleted < PRUNE_STEP) return pruned;
      await nextTurn();
    }
  }
  return {
    prune: (organizationId, projectId, beforeMs) =>
      prune(organizationId, beforeMs, (q) =>
        projectId === null ? q.lit(true) : q('project_id', '=', projectId),
      ),
    async pruneExpired(nowMs, otherDays) {
      let pruned = 0;
      const projects = await db
        .selectFrom('projects')
        .select(['id', 'organization_id', 'retention_days'])
        .where('retention_days', 'is not', null)
        .execute();
      for (const { id, organization_id, retention_days } of projects) {
        const beforeMs = nowMs - (retention_days ?? 0) * DAY_MS;
        pruned += await prune(organization_id, beforeMs, (q) => q('project_id', '=', id));
      }
      // By their chains, which deleted organizations have, too.
      for (const { organization_id: id } of await db
        .selectFrom('audit_heads')
        .select('organization_id')
        .execute()) {
        pruned += await prune(id, nowMs - otherDays * DAY_MS, (q) =>
          q.or([
            q('project_id', 'is', null),
            q(
              'project_id',
              'not in',
              q.selectFrom('projects').select('id').where('organization_id', '=', id),
            ),
          ]),
        );
      }
      return pruned;
    },
  };
}

function readCursor(cursor: string): { readonly atMs: number; readonly id: string } {
  const dot = cursor.indexOf('.');
  const atMs = Number(cursor.slice(0, Math.max(0, dot)));
  if (dot < 1 || !Number.isSafeInteger(atMs))
    throw new StorageError('rejected', 'This is not a cursor of a page.');
  return { atMs, id: cursor.slice(dot + 1) };
}
