import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { rowToEvent } from '../batch/prepare-decision.ts';
import type { EventFilter, EventSearch, Events } from '../model/events.ts';
import type { Database } from '../schema.ts';
import { StorageError } from '../storage-error.ts';
import { type EventsDeps, eventPruning } from './event-pruning.ts';
import { inSteps } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_PAGE = 1_000;

export function createEvents(deps: EventsDeps): Events {
  return {
    ...eventLookups(deps),
    ...eventPruning(deps),
  };
}

const EQUAL_COLUMNS = [
  ['projectId', 'project_id'],
  ['keyId', 'key_id'],
  ['deviceId', 'device_id'],
  ['model', 'model'],
  ['direction', 'direction'],
  ['threatType', 'threat_type'],
  ['decision', 'decision'],
] as const;

function eventLookups(deps: RepositoryDeps): Pick<Events, 'get' | 'find' | 'page'> {
  const { db, reads } = deps;
  const select = (organizationId: string, filter: EventFilter) => {
    let query = reads.selectFrom('security_events').selectAll().where('organization_id', '=', organizationId);
    for (const [name, column] of EQUAL_COLUMNS) {
      const value = filter[name];
      if (value !== undefined) query = query.where(column, '=', value);
    }
    if (filter.search !== undefined) query = query.where(matches(filter.search));
    if (filter.sentBy !== undefined) query = query.where(isSentBy(filter.sentBy));
    if (filter.rule !== undefined) query = query.where(hasFinding(`["${filter.rule}"`));
    if (filter.hasFindings) query = query.where('findings', 'is not', null);
    if (filter.fromMs !== undefined) query = query.where('at_ms', '>=', filter.fromMs);
    if (filter.toMs !== undefined) query = query.where('at_ms', '<', filter.toMs);
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
      hasFinding(`["${text.toLowerCase()}`),
      ...(projectIds.length === 0 ? [] : [q('project_id', 'in', projectIds)]),
      ...(keyIds.length === 0 ? [] : [q('key_id', 'in', keyIds)]),
      ...(deviceIds.length === 0 ? [] : [q('device_id', 'in', deviceIds)]),
    ]);
}

/** A finding is stored as a list that begins with its rule; quotes within its other texts are escaped. */
function hasFinding(beginning: string) {
  return sql<SqlBool>`findings like ${`%${escapeLike(beginning)}%`} escape '!'`;
}

function isSentBy({ keyIds, deviceIds }: Pick<EventSearch, 'keyIds' | 'deviceIds'>) {
  return (q: ExpressionBuilder<Database, 'security_events'>): Expression<SqlBool> =>
    q.or([
      ...(keyIds.length === 0 ? [] : [q('key_id', 'in', keyIds)]),
      ...(deviceIds.length === 0 ? [] : [q('device_id', 'in', deviceIds)]),
    ]);
}

function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}

function readCursor(cursor: string): { readonly atMs: number; readonly id: string } {
  const dot = cursor.indexOf('.');
  const atMs = Number(cursor.slice(0, Math.max(0, dot)));
  if (dot < 1 || !Number.isSafeInteger(atMs))
    throw new StorageError('rejected', 'This is not a cursor of a page.');
  return { atMs, id: cursor.slice(dot + 1) };
}
