import type { Permission } from '@csg/shared/contract';
import { sql } from 'kysely';
import { newId } from '../ids.ts';
import { parseKey } from '../key-format.ts';
import { type Key, type KeyForAuth, type KeyLimits, type Keys, keyTable } from '../model/keys.ts';
import type { Database } from '../schema.ts';
import { sameBytes } from '../sealing/derive.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import type { Vault } from '../sealing/vault.ts';
import { StorageError } from '../storage-error.ts';
import { toStorableText } from '../stored-values.ts';
import { projectEndpoints } from './endpoint-rows.ts';
import { selectKeyForAuth } from './key-for-auth.ts';
import { toSettings } from './projects.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export interface KeysDependencies extends RepositoryDeps {
  readonly touch: (keyId: string, atMs: number) => void;
}

export function createKeys(deps: KeysDependencies): Keys {
  return {
    ...keyLookups(deps),
    ...keyLifecycle(deps),
    ...keyChanges(deps),
  };
}

function keyLookups(
  deps: KeysDependencies,
): Pick<Keys, 'findForAuth' | 'get' | 'list' | 'reveal' | 'countForAccount' | 'countForProject'> {
  const { db, reads, vault } = deps;
  const select = (organizationId: string, from = db) =>
    from
      .selectFrom('keys')
      .leftJoin('projects', 'projects.id', 'keys.project_id')
      .selectAll('keys')
      .select('projects.name as project_name')
      .where('keys.organization_id', '=', organizationId);
  const get = async (organizationId: string, keyId: string): Promise<Key | null> => {
    const row = await select(organizationId).where('keys.id', '=', keyId).executeTakeFirst();
    return row === undefined ? null : toKey(row);
  };
  /** Counts keys for a plan: those of people, until they expire. */
  const counted = (nowMs: number) =>
    db
      .selectFrom('keys')
      .select((q) => q.fn.countAll<number>().as('count'))
      .where('keys.device_id', 'is', null)
      .where((q) => q.or([q('keys.expires_at_ms', 'is', null), q('keys.expires_at_ms', '>', nowMs)]));
  return {
    async findForAuth(presentedKey) {
      if (parseKey(presentedKey).kind !== 'key') return null;
      const hash = vault.lookupHash(presentedKey);
      const rows = await selectKeyForAuth(db, hash).execute();
      // The index compares digests made with a key that is not in the database; this comparison takes constant time.
      const [row] = rows;
      return row === undefined || !sameBytes(row.key_hash, hash) ? null : toKeyForAuth(row, rows, vault);
    },
    get,
    async list(organizationId, { projectId, devices = false } = {}) {
      let query = select(organizationId, reads)
        .orderBy('keys.created_at_ms', 'desc')
        .orderBy('keys.id', 'desc');
      if (projectId !== undefined) query = query.where('keys.project_id', '=', projectId);
      if (!devices) query = query.where('keys.device_id', 'is', null);
      return (await query.execute()).map(toKey);
    },
    async reveal(organizationId, keyId) {
      const row = await select(organizationId).where('keys.id', '=', keyId).executeTakeFirst();
      return row === undefined
        ? null
        : { key: toKey(row), plain: vault.open(row.sealed, SEAL_CONTEXTS.key(keyId)) };
    },
    async countForAccount(accountId, nowMs) {
      const { count } = await counted(nowMs)
        .innerJoin('organizations', 'organizations.id', 'keys.organization_id')
        .where('organizations.owner_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return count;
    },
    async countForProject(organizationId, projectId, nowMs) {
      const { count } = await counted(nowMs)
        .where('keys.organization_id', '=', organizationId)
        .where('keys.project_id', projectId === null ? 'is' : '=', projectId)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

function keyLifecycle(
  deps: KeysDependencies,
): Pick<Keys, 'insert' | 'remove' | 'revokeByMember' | 'touchLastUsed'> {
  const { db, vault, now } = deps;
  const select = (organizationId: string) =>
    db
      .selectFrom('keys')
      .leftJoin('projects', 'projects.id', 'keys.project_id')
      .selectAll('keys')
      .select('projects.name as project_name')
      .where('keys.organization_id', '=', organizationId);
  const get = async (organizationId: string, keyId: string): Promise<Key | null> => {
    const row = await select(organizationId).where('keys.id', '=', keyId).executeTakeFirst();
    return row === undefined ? null : toKey(row);
  };
  return {
    async insert(input) {
      const parsed = parseKey(input.key);
      if (parsed.kind !== 'key') throw new StorageError('rejected', 'This is not a key made by makeKey().');
      const id = newId('key');
      await db
        .insertInto('keys')
        .values({
          id,
          organization_id: input.organizationId,
          project_id: input.projectId,
          user_id: input.userId,
          device_id: input.deviceId,
          name: toStorableText(input.name),
          prefix: parsed.prefix,
          key_hash: vault.lookupHash(input.key),
          sealed: vault.seal(input.key, SEAL_CONTEXTS.key(id)),
          permissions: JSON.stringify(input.permissions),
          ...limitColumns(input.limits),
          is_active: 1,
          last_used_at_ms: null,
          expires_at_ms: input.expiresAtMs,
          created_at_ms: now(),
        })
        .execute();
      return (await get(input.organizationId, id))!;
    },
    async remove(organizationId, keyId) {
      const { numDeletedRows } = await db
        .deleteFrom('keys')
        .where('organization_id', '=', organizationId)
        .where('id', '=', keyId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async revokeByMember(organizationId, userId) {
      const rows = await db
        .deleteFrom('keys')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .where('device_id', 'is', null)
        .returning('id')
        .execute();
      return rows.map((row) => row.id).sort();
    },
    touchLastUsed: deps.touch,
  };
}

function keyChanges(deps: KeysDependencies): Pick<Keys, 'setActive' | 'toggle' | 'setLimits' | 'setExpiry'> {
  const { db } = deps;
  const select = (organizationId: string) =>
    db
      .selectFrom('keys')
      .leftJoin('projects', 'projects.id', 'keys.project_id')
      .selectAll('keys')
      .select('projects.name as project_name')
      .where('keys.organization_id', '=', organizationId);
  const get = async (organizationId: string, keyId: string): Promise<Key | null> => {
    const row = await select(organizationId).where('keys.id', '=', keyId).executeTakeFirst();
    return row === undefined ? null : toKey(row);
  };
  const update = (organizationId: string, keyId: string) =>
    db.updateTable('keys').where('organization_id', '=', organizationId).where('id', '=', keyId);
  return {
    async setActive(organizationId, keyId, isActive) {
      await update(organizationId, keyId)
        .set({ is_active: isActive ? 1 : 0 })
        .execute();
      return await get(organizationId, keyId);
    },
    async toggle(organizationId, keyId) {
      const row = await update(organizationId, keyId)
        .set((q) => ({ is_active: sql<number>`1 - ${q.ref('is_active')}` }))
        .returning('is_active')
        .executeTakeFirst();
      const key = row === undefined ? null : await get(organizationId, keyId);
      return row === undefined || key === null ? null : { ...key, isActive: row.is_active === 1 };
    },
    async setLimits(organizationId, keyId, limits) {
      await update(organizationId, keyId).set(limitColumns(limits)).execute();
      return await get(organizationId, keyId);
    },
    async setExpiry(organizationId, keyId, expiresAtMs) {
      await update(organizationId, keyId).set({ expires_at_ms: expiresAtMs }).execute();
      return await get(organizationId, keyId);
    },
  };
}

function limitColumns(limits: KeyLimits | undefined) {
  return {
    allowed_models: limits?.allowedModels.length ? JSON.stringify(limits.allowedModels) : null,
    daily_token_limit: limits?.dailyTokenLimit ?? null,
  };
}

function toKey(row: Database['keys'] & { project_name: string | null }): Key {
  return { ...keyTable.read(row), projectName: row.project_name };
}

type AuthRow = Awaited<ReturnType<ReturnType<typeof selectKeyForAuth>['execute']>>[number];

const toEndpointRow = (row: AuthRow) =>
  row.endpoint_id === null || row.endpoint_kind === null
    ? []
    : [
        {
          ...{ id: row.endpoint_id, kind: row.endpoint_kind, is_enabled: 1, events: row.endpoint_events },
          ...{ organization_id: row.organization_id, project_id: row.project_id },
          ...{ address: row.endpoint_address, paused_at_ms: row.endpoint_paused_at_ms },
        },
      ];

function toKeyForAuth(row: AuthRow, rows: readonly AuthRow[], vault: Vault): KeyForAuth {
  return {
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    organizationKind: row.organization_kind,
    organizationName: row.organization_name,
    projectId: row.project_id,
    projectName: row.project_name,
    userId: row.user_id,
    deviceId: row.device_id,
    deviceRevokedAtMs: row.device_revoked_at_ms,
    permissions: JSON.parse(row.permissions) as Permission[],
    limits: {
      allowedModels: row.allowed_models === null ? [] : (JSON.parse(row.allowed_models) as string[]),
      dailyTokenLimit: row.daily_token_limit,
    },
    isActive: row.is_active === 1,
    expiresAtMs: row.expires_at_ms,
    failMode: row.fail_mode ?? 'open',
    useCase: row.use_case ?? 'default',
    strictnessLevel: row.strictness_level ?? 'moderate',
    zeroRetention: row.zero_retention === 1,
    settings: toSettings(row.settings),
    ...projectEndpoints(vault, rows.flatMap(toEndpointRow)),
    accountId: row.account_id,
    allowedIps: row.allowed_ips === null ? [] : (JSON.parse(row.allowed_ips) as string[]),
    accountEmailVerifiedAtMs: row.email_verified_at_ms,
    subscriptionStatus: row.status ?? 'none',
    plan: row.plan ?? 'free',
    perMinute: row.per_minute,
    monthly: row.monthly,
    spendCapUsd: row.spend_cap_usd,
    onDemand: row.on_demand === 1,
  };
}
