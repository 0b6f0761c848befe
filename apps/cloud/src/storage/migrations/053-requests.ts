import { sql } from 'kysely';
import type { Migration } from './migration.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** One table for what waits for a person, instead of four. Ids, and the context that arguments are sealed with, stay. */
export const requests: Migration = {
  name: 'requests',
  async up(db, types) {
    await db.schema
      .createTable('requests')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'text')
      .addColumn('device_id', 'text')
      .addColumn('requested_by', 'text', (c) => c.notNull())
      .addColumn('requester_user_id', 'text')
      .addColumn('subject_key', 'text')
      // No foreign key: requests outlive the pruning of their event.
      .addColumn('event_id', 'text')
      .addColumn('justification', 'text')
      .addColumn('details', 'text', (c) => c.notNull())
      .addColumn('sealed_detail', types.blob)
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decision_reason', 'text')
      .addColumn('decided_at_ms', 'bigint')
      .addColumn('starts_at_ms', 'bigint')
      .addColumn('ends_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('requests_newest')
      .on('requests')
      .columns(['organization_id', 'created_at_ms', 'id'])
      .execute();
    await db.schema
      .createIndex('requests_of_kind')
      .on('requests')
      .columns(['organization_id', 'kind', 'created_at_ms', 'id'])
      .execute();
    await db.schema
      .createIndex('requests_open')
      .on('requests')
      .columns(['organization_id', 'status', 'kind', 'created_at_ms', 'id'])
      .where(sql<boolean>`status in ('pending', 'approved')`)
      .execute();
    await db.schema
      .createIndex('requests_ending')
      .on('requests')
      .columns(['ends_at_ms'])
      .where(sql<boolean>`status in ('pending', 'approved')`)
      .execute();
    await db.schema
      .createIndex('requests_changed')
      .on('requests')
      .columns(['organization_id', 'changed_at_ms'])
      .execute();
    await db.schema
      .createIndex('requests_of_subject')
      .on('requests')
      .columns(['organization_id', 'kind', 'subject_key', 'status'])
      .execute();
    await db.schema
      .createIndex('requests_of_event')
      .unique()
      .on('requests')
      .columns(['organization_id', 'event_id'])
      .where(sql<boolean>`kind = 'false_positive'`)
      .execute();
    await db.schema
      .createIndex('requests_review_age')
      .on('requests')
      .columns(['ends_at_ms'])
      .where(sql<boolean>`kind = 'tool_review'`)
      .execute();

    const object = sql.raw(types.blob === 'bytea' ? 'json_build_object' : 'json_object');
    const columns = sql.raw(
      `id, kind, organization_id, project_id, device_id, requested_by, requester_user_id, subject_key, event_id,
       justification, details, sealed_detail, status, decided_by, decision_reason, decided_at_ms, starts_at_ms,
       ends_at_ms, created_at_ms, changed_at_ms`,
    );
    await sql`insert into requests (${columns})
      select id, 'exception', organization_id, project_id, device_id, requested_by, requester_user_id, host_key,
        event_id, justification,
        cast(${object}('destinationHost', destination_host, 'policyId', policy_id, 'threat', threat,
          'reasonCategory', reason_category, 'requestedMinutes', requested_minutes) as text),
        null, status, decided_by, decision_reason, decided_at_ms, starts_at_ms,
        case status when 'pending' then created_at_ms + ${sql.lit(WEEK_MS)} else expires_at_ms end,
        created_at_ms, changed_at_ms
      from exceptions`.execute(db);
    await sql`insert into requests (${columns})
      select id, 'tool_request', organization_id, project_id, device_id, requested_by, requester_user_id, null,
        event_id, justification,
        cast(${object}('requestedHost', requested_host, 'requestedName', requested_name) as text),
        null, status, decided_by, decision_reason, decided_at_ms, null,
        case status when 'pending' then created_at_ms + ${sql.lit(WEEK_MS)} end, created_at_ms, changed_at_ms
      from tool_requests`.execute(db);
    await sql`insert into requests (${columns})
      select id, 'tool_review', organization_id, project_id,
        case when requested_by like 'dev\\_%' escape '\\' then requested_by end,
        requested_by, requester_user_id, call_hash, event_id, null,
        cast(${object}('agentId', agent_id, 'sessionId', session_id, 'toolName', tool_name, 'reason', reason)
          as text),
        sealed_arguments, status, decided_by, decision_reason, decided_at_ms,
        case when status in ('approved', 'used') then decided_at_ms end, expires_at_ms, created_at_ms,
        coalesce(decided_at_ms, created_at_ms)
      from tool_reviews`.execute(db);
    await sql`insert into requests (${columns})
      select id, 'false_positive', organization_id, project_id,
        case when marked_by like 'dev\\_%' escape '\\' then marked_by end,
        marked_by, coalesce(requester_user_id, case when marked_by like 'usr\\_%' escape '\\' then marked_by end),
        null, event_id, note,
        '{"allowText":' || case allow_text when 1 then 'true' else 'false' end || ',"event":' || event || '}',
        null, status, decided_by, decision_reason, decided_at_ms,
        case status when 'approved' then decided_at_ms end, null, created_at_ms,
        coalesce(decided_at_ms, created_at_ms)
      from event_marks`.execute(db);
    for (const table of ['exceptions', 'tool_requests', 'tool_reviews', 'event_marks'])
      await db.schema.dropTable(table).execute();
  },
};
