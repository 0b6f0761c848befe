import type { Kysely } from 'kysely';
import { newId } from '../ids.ts';
import { type Devices, deviceTable } from '../model/fleet.ts';
import type { Database } from '../schema.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createDevices({ db, reads, now }: RepositoryDeps): Devices {
  /** Uses the open transaction, or starts its own. */
  const inTransaction = <T>(work: (tx: Kysely<Database>) => Promise<T>): Promise<T> =>
    db.isTransaction ? work(db) : db.transaction().execute(work);

  return {
    async insert(organizationId, input) {
      const row = {
        id: newId('dev'),
        organization_id: organizationId,
        project_id: input.projectId ?? null,
        enrollment_id: input.enrollmentId ?? null,
        name: toStorableText(input.name),
        platform: input.platform,
        coverage: input.coverage ?? 'proxy',
        user_id: input.userId ?? null,
        end_user_label: toStorableTextOrNull(input.endUserLabel),
        agent_version: null,
        proxy_restarts: null,
        supervisor_state: null,
        system_proxy: null,
        needs_administrator: null,
        last_seen_at_ms: null,
        revoked_at_ms: null,
        created_at_ms: now(),
      };
      await db.insertInto('devices').values(row).execute();
      return deviceTable.read(row);
    },
    async get(organizationId, deviceId) {
      const row = await db
        .selectFrom('devices')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', deviceId)
        .executeTakeFirst();
      return deviceTable.readOrNull(row);
    },
    async list(organizationId) {
      const rows = await reads
        .selectFrom('devices')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(deviceTable.read);
    },
    async recordHeartbeat(organizationId, deviceId, heartbeat) {
      const row = await db
        .updateTable('devices')
        .set({
          agent_version: toStorableText(heartbeat.agentVersion),
          proxy_restarts: heartbeat.proxyRestarts,
          supervisor_state: heartbeat.supervisorState,
          system_proxy: heartbeat.systemProxy ?? null,
          needs_administrator: JSON.stringify(heartbeat.needsAdministrator ?? []),
          last_seen_at_ms: heartbeat.atMs,
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', deviceId)
        .returningAll()
        .executeTakeFirst();
      return deviceTable.readOrNull(row);
    },
    async assign(organizationId, deviceId, userId) {
      const { numUpdatedRows } = await db
        .updateTable('devices')
        .set({ user_id: userId })
        .where('organization_id', '=', organizationId)
        .where('id', '=', deviceId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    revoke: (organizationId, deviceId) =>
      inTransaction(async (tx) => {
        const revoked = await revokeWhere(tx, now(), organizationId, 'id', deviceId);
        return revoked.length === 1;
      }),
    revokeByMember: (organizationId, userId) =>
      inTransaction((tx) => revokeWhere(tx, now(), organizationId, 'user_id', userId)),
  };
}

async function revokeWhere(
  tx: Kysely<Database>,
  atMs: number,
  organizationId: string,
  column: 'id' | 'user_id',
  value: string,
): Promise<readonly string[]> {
  const rows = await tx
    .updateTable('devices')
    .set({ revoked_at_ms: atMs })
    .where('organization_id', '=', organizationId)
    .where(column, '=', value)
    .where('revoked_at_ms', 'is', null)
    .returning('id')
    .execute();
  const ids = rows.map((row) => row.id).sort();
  if (ids.length > 0) {
    await tx
      .deleteFrom('keys')
      .where('organization_id', '=', organizationId)
      .where('device_id', 'in', ids)
      .execute();
  }
  return ids;
}
