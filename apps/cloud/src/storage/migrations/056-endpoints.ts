import { type Kysely, sql } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/**
 * One table for addresses that are called, instead of five places, and deliveries that name their endpoint. What was
 * sealed stays bound to the same names. The rest of a policy endpoint is sealed together with its address.
 */
export const endpoints: Migration = {
  name: 'endpoints',
  async up(db, types) {
    await createEndpoints(db, types);
    await copyEndpoints(db, types);
    await renewDeliveries(db);
    await renewNotifications(db);
    for (const table of TABLES) await db.schema.dropTable(table).execute();
    for (const column of COLUMNS) await db.schema.alterTable('projects').dropColumn(column).execute();
  },
};

const TABLES = ['webhooks', 'webhook_secrets', 'webhook_pauses', 'audit_targets', 'notification_targets'];
const COLUMNS = ['webhook_url', 'webhook_enabled', 'webhook_events', 'further_webhooks', 'policy_webhook'];

// biome-ignore lint/suspicious/noExplicitAny: the schema of its time.
type AnyDb = Kysely<any>;

async function createEndpoints(db: AnyDb, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('endpoints')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('project_id', 'text', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('address', 'text')
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('events', 'text')
    .addColumn('sealed_secret', types.blob)
    .addColumn('secret_at_ms', 'bigint')
    .addColumn('previous_sealed_secret', types.blob)
    .addColumn('previous_until_ms', 'bigint')
    .addColumn('paused_at_ms', 'bigint')
    .addColumn('succeeded', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('failed', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('failures', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('failing_since_ms', 'bigint')
    .addColumn('last_error', 'text')
    .addColumn('last_success_at_ms', 'bigint')
    .addColumn('last_failure_at_ms', 'bigint')
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('endpoints_organization')
    .on('endpoints')
    .columns(['organization_id', 'created_at_ms', 'id'])
    .execute();
  await db.schema.createIndex('endpoints_project').on('endpoints').column('project_id').execute();
  await db.schema
    .createIndex('endpoints_kind')
    .on('endpoints')
    .columns(['kind', 'organization_id', 'created_at_ms', 'id'])
    .execute();
  await db.schema
    .createIndex('endpoints_paused')
    .on('endpoints')
    .column('id')
    .where(sql<boolean>`paused_at_ms is not null`)
    .execute();
}

/** `prefix_` and what follows the prefix of the owner's id. */
const ownId = (prefix: string, owner: string, length: number) =>
  sql.raw(`'${prefix}_' || substr(${owner}, ${length + 1})`);

async function copyEndpoints(db: AnyDb, types: ColumnTypes): Promise<void> {
  const columns = sql.raw(
    `id, kind, organization_id, project_id, address, details, is_enabled, events, sealed_secret, secret_at_ms,
     previous_sealed_secret, previous_until_ms, paused_at_ms, created_at_ms`,
  );
  await sql`insert into endpoints (${columns})
    select ${ownId('whk', 'p.id', 'proj_'.length)}, 'webhook', p.organization_id, p.id, p.webhook_url, '{}',
      p.webhook_enabled, p.webhook_events, s.sealed, s.created_at_ms, s.previous_sealed, s.previous_until_ms,
      z.paused_at_ms, p.created_at_ms
    from projects p left join webhook_secrets s on s.project_id = p.id
      left join webhook_pauses z on z.endpoint_id = p.id
    where p.webhook_url is not null or s.project_id is not null or p.webhook_events is not null`.execute(db);
  await sql`insert into endpoints (${columns})
    select w.id, 'webhook', w.organization_id, w.project_id, w.url, '{}', w.is_enabled, w.events, w.sealed_secret,
      case when w.sealed_secret is null then null else w.created_at_ms end, w.previous_sealed_secret,
      w.previous_until_ms, z.paused_at_ms, w.created_at_ms
    from webhooks w left join webhook_pauses z on z.endpoint_id = w.id`.execute(db);
  await sql`insert into endpoints (${columns})
    select ${ownId('pep', 'id', 'proj_'.length)}, 'policy', organization_id, id, policy_webhook, '{}', 1, null, null,
      null, null, null, null, created_at_ms
    from projects where policy_webhook is not null`.execute(db);
  await sql`insert into endpoints (${columns})
    select ${ownId('aud', 'organization_id', 'org_'.length)}, 'audit', organization_id, null, url, '{}', 1, null, null,
      null, null, null, null, updated_at_ms
    from audit_targets`.execute(db);
  const isPostgres = types.blob === 'bytea';
  const object = sql.raw(isPostgres ? 'json_build_object' : 'json_object');
  const quietHours = sql.raw(isPostgres ? 'quiet_hours::json' : 'json(quiet_hours)');
  await sql`insert into endpoints (${columns}, last_error, last_success_at_ms)
    select id, 'notification', organization_id, null, address,
      cast(${object}('form', kind, 'digest', digest, 'quietHours', ${quietHours}) as text), 1, events, sealed_secret,
      case when sealed_secret is null then null else created_at_ms end, null, null, null, created_at_ms, last_error,
      last_sent_at_ms
    from notification_targets`.execute(db);
}

async function renewDeliveries(db: AnyDb): Promise<void> {
  for (const index of ['webhook_deliveries_due', 'webhook_deliveries_endpoint'])
    await db.schema.dropIndex(index).execute();
  const table = () => db.schema.alterTable('webhook_deliveries');
  await table()
    .addColumn('endpoint_id', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await table()
    .addColumn('kind', 'text', (c) => c.notNull().defaultTo('webhook'))
    .execute();
  await sql`update webhook_deliveries set
    endpoint_id = coalesce(webhook_id, ${ownId('whk', 'project_id', 'proj_'.length)},
      ${ownId('aud', 'organization_id', 'org_'.length)}),
    kind = case when project_id is null then 'audit' else 'webhook' end`.execute(db);
  await table().dropColumn('webhook_id').execute();
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .column('due_at_ms')
    .where(sql<boolean>`status = 'pending'`)
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_endpoint')
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'due_at_ms'])
    .where(sql<boolean>`status = 'pending'`)
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_of_endpoint')
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'created_at_ms', 'id'])
    .execute();
}

/** Messages only wait for their time: from then on they are deliveries, with the same retries. */
async function renewNotifications(db: AnyDb): Promise<void> {
  for (const index of ['notifications_due', 'notifications_target'])
    await db.schema.dropIndex(index).execute();
  await db.schema.alterTable('notifications').renameTo('notifications_before').execute();
  await db.schema
    .createTable('notifications')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('endpoint_id', 'text', (c) => c.notNull().references('endpoints.id').onDelete('cascade'))
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('due_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await sql`insert into notifications (id, organization_id, endpoint_id, event, text, data, due_at_ms,
      created_at_ms)
    select n.id, e.organization_id, e.id, n.event, n.text, n.data, n.due_at_ms, n.created_at_ms
    from notifications_before n join endpoints e on e.id = n.target_id`.execute(db);
  await db.schema.dropTable('notifications_before').execute();
  await db.schema.createIndex('notifications_due').on('notifications').column('due_at_ms').execute();
  await db.schema.createIndex('notifications_endpoint').on('notifications').column('endpoint_id').execute();
}
