import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

/** Selects the owner of a key, with one lookup in each table: a row for each endpoint that its project has enabled. */
export function selectKeyForAuth(db: Kysely<Database>, keyHash: Buffer) {
  return db
    .selectFrom('keys as k')
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .innerJoin('users as a', 'a.id', 'o.owner_id')
    .leftJoin('subscriptions as s', 's.account_id', 'o.owner_id')
    .leftJoin('projects as p', 'p.id', 'k.project_id')
    .leftJoin('endpoints as e', (join) =>
      join.onRef('e.project_id', '=', 'p.id').on('e.is_enabled', '=', 1).on('e.address', 'is not', null),
    )
    .leftJoin('devices as d', 'd.id', 'k.device_id')
    .select([
      'k.id',
      'k.name',
      'k.key_hash',
      'k.organization_id',
      'k.project_id',
      'k.user_id',
      'k.device_id',
      'k.permissions',
      'k.allowed_models',
      'k.daily_token_limit',
      'k.is_active',
      'k.expires_at_ms',
      'o.kind as organization_kind',
      'o.name as organization_name',
      'o.owner_id as account_id',
      'o.allowed_ips',
      'a.email_verified_at_ms',
      's.plan',
      's.status',
      's.per_minute',
      's.monthly',
      's.spend_cap_usd',
      's.on_demand',
      'p.name as project_name',
      'p.fail_mode',
      'p.use_case',
      'p.strictness_level',
      'p.zero_retention',
      'p.settings',
      'e.id as endpoint_id',
      'e.kind as endpoint_kind',
      'e.address as endpoint_address',
      'e.events as endpoint_events',
      'e.paused_at_ms as endpoint_paused_at_ms',
      'd.revoked_at_ms as device_revoked_at_ms',
    ])
    .where('k.key_hash', '=', keyHash);
}
