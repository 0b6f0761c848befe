import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { rowToEvent } from '../batch/prepare-decision.ts';
import { readEventsById } from '../events-by-id.ts';
import type {
  EventCursor,
  EventFilter,
  EventSearch,
  EventSort,
  Events,
  SecurityEvent,
} from '../model/events.ts';
import type { Database } from '../schema.ts';
import { StorageError } from '../storage-error.ts';
import { isOfProject } from './event-project.ts';
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

type Condition = (q: ExpressionBuilder<Database, 'security_events'>) => Expression<SqlBool>;

const equals =
  (column: 'key_id' | 'device_id' | 'model' | 'direction' | 'threat_type') =>
  (value: string): Condition =>
  (q) =>
    q(column, '=', value);

/** The condition that each member of a filter adds. */
const CONDITIONS: {
  readonly [Name in keyof EventFilter]-?: (value: Required<EventFilter>[Name]) => Condition;
} = {
  projectId: isOfProject,
  keyId: equals('key_id'),
  deviceId: equals('device_id'),
  model: equals('model'),
  direction: equals('direction'),
  threatType: equals('threat_type'),
  // Also as a literal, so that the engines can use the small index of blocks and redactions.
  decision: (decision) => (q) =>
    decision === 'allow'
      ? q('decision', '=', decision)
      : q.and([q('decision', '=', decision), sql<boolean>`decision <> 'allow'`]),
  // The same condition as in the definition of the index, so that the engines use it.
  policyId: (policyId) => (q) =>
    q.and([q('decided_by', '=', `policy:${policyId}`), sql<boolean>`threat_type is not null`]),
  search: matches,
  sentBy: isSentBy,
  session: (session) => (q) => q('session', '=', session),
  // The same condition as in the definition of the index, so that the engines use it.
  tag: (tag) => () =>
    sql<SqlBool>`tags is not null and tags like ${`%${escapeLike(JSON.stringify(tag))}%`} escape '!'`,
  rule: (rule) => () => hasFinding(`["${rule}"`),
  hasFindings: () => (q) => q('findings', 'is not', null),
  fromMs: (fromMs) => (q) => q('at_ms', '>=', fromMs),
  toMs: (toMs) => (q) => q('at_ms', '<', toMs),
};

function conditionsOf(filter: EventFilter): Condition[] {
  const members = Object.entries(filter) as [keyof EventFilter, never][];
  return members.filter(([, value]) => value !== undefined).map(([name, value]) => CONDITIONS[name](value));
}

function eventLookups(deps: RepositoryDeps): Pick<Events, 'get' | 'find' | 'page' | 'count'> {
  const { db, reads } = deps;
  const matching = (organizationId: string, filter: EventFilter) =>
    reads
      .selectFrom('security_events')
      .where('organization_id', '=', organizationId)
      .where((q) => q.and(conditionsOf(filter).map((condition) => condition(q))));
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
      const rows = await inSteps(eventIds, (ids) => readEventsById(reads, organizationId, ids));
      return rows.map(rowToEvent);
    },
    async page(organizationId, { filter = {}, limit = 50, after, sort = NEWEST_FIRST } = {}) {
      const size = Math.max(1, Math.min(limit, MAX_PAGE));
      let query = matching(organizationId, filter).selectAll();
      // The same condition as in the definition of the index, so that the engines use it.
      if (sort.by === 'confidence') query = query.where(sql<boolean>`threat_type is not null`);
      if (after !== undefined) query = query.where(isAfter(readCursor(after, sort), sort));
      for (const column of SORT_COLUMNS[sort.by]) query = query.orderBy(column, sort.order);
      const found = await query.limit(size + 1).execute();
      const events = found.slice(0, size).map(rowToEvent);
      const last = events.at(-1);
      return { events, next: found.length > size && last !== undefined ? cursorOf(last, sort) : null };
    },
    async count(organizationId, filter, atMost) {
      const counted = matching(organizationId, filter).select('id').limit(atMost).as('counted');
      const { count } = await reads
        .selectFrom(counted)
        .select((q) => q.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

const NEWEST_FIRST: EventSort = { by: 'time', order: 'desc' };
const SORT_COLUMNS = {
  time: ['at_ms', 'id'],
  confidence: ['confidence', 'at_ms', 'id'],
} as const;

/** Compared as one value, so that both engines begin in the index where the last page ended. */
function isAfter(values: readonly (number | string)[], { by, order }: EventSort): Condition {
  const columns = SORT_COLUMNS[by].map((column) => sql.ref(column));
  return () =>
    sql<SqlBool>`(${sql.join(columns)}) ${sql.raw(order === 'desc' ? '<' : '>')} (${sql.join(values)})`;
}

function matches({ text, projectIds, keyIds, deviceIds }: EventSearch): Condition {
  return (q) =>
    q.or([
      q('id', '=', text),
      q('request_id', '=', text),
      hasFinding(`["${text.toLowerCase()}`),
      ...(projectIds.length === 0 ? [] : [q('project_id', 'in', projectIds)]),
      ...(keyIds.length === 0 ? [] : [q('key_id', 'in', keyIds)]),
      ...(deviceIds.length === 0 ? [] : [q('device_id', 'in', deviceIds)]),
    ]);
}

/** A finding is stored as a list that starts with its rule; quotes in its other texts are escaped. */
function hasFinding(beginning: string) {
  return sql<SqlBool>`findings like ${`%${escapeLike(beginning)}%`} escape '!'`;
}

function isSentBy({ keyIds, deviceIds }: Pick<EventSearch, 'keyIds' | 'deviceIds'>): Condition {
  return (q) =>
    q.or([
      ...(keyIds.length === 0 ? [] : [q('key_id', 'in', keyIds)]),
      ...(deviceIds.length === 0 ? [] : [q('device_id', 'in', deviceIds)]),
    ]);
}

function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}

function cursorOf({ confidence, atMs, id }: SecurityEvent, { by }: EventSort): EventCursor {
  return by === 'time' ? `${atMs}.${id}` : `${confidence}~${atMs}.${id}`;
}

/** Returns the values of SORT_COLUMNS in the last row of the previous page. */
function readCursor(cursor: string, { by }: EventSort): readonly (number | string)[] {
  const [, confidence, atMs, id] = /^(?:([\d.e-]+)~)?(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  const values = [Number(confidence), Number(atMs)].slice(by === 'time' ? 1 : 0);
  if (id === undefined || (confidence === undefined) !== (by === 'time') || !values.every(Number.isFinite)) {
    throw new StorageError('rejected', 'This is not a cursor of a page.');
  }
  return [...values, id];
}
