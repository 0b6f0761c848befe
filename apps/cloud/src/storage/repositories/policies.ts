import type { PolicyRules } from '@csg/shared/contract';
import { sql } from 'kysely';
import { newId } from '../ids.ts';
import { type Policies, type PolicyInput, policyTable, policyVersionTable } from '../model/policies.ts';
import { StorageError } from '../storage-error.ts';
import { toFlag, toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { omitUndefined, type RepositoryDeps } from './repository-deps.ts';

export function createPolicies({ db, now }: RepositoryDeps): Policies {
  const select = (organizationId: string) =>
    db
      .selectFrom('policies')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('priority', 'desc')
      .orderBy('created_at_ms')
      .orderBy('id');

  const policies: Policies = {
    async insertMany(organizationId, projectId, inputs) {
      if (inputs.length === 0) return [];
      const atMs = now();
      const rows = inputs.map((input) => ({
        id: newId('pol'),
        organization_id: organizationId,
        project_id: projectId,
        name: toStorableText(input.name),
        description: toStorableTextOrNull(input.description),
        action: input.action,
        threat_types: JSON.stringify(input.threatTypes),
        priority: input.priority,
        is_active: toFlag(input.isActive ?? true),
        from_preset: toFlag(input.fromPreset ?? false),
        rules: rulesText(input.rules ?? {}),
        version: 1,
        created_at_ms: atMs,
        updated_at_ms: atMs,
      }));
      await db.insertInto('policies').values(rows).execute();
      return rows.map(policyTable.read);
    },
    async listActive(organizationId, projectId) {
      const rows = await select(organizationId)
        .where('is_active', '=', 1)
        .where((q) => q.or([q('project_id', 'is', null), q('project_id', '=', projectId)]))
        .execute();
      return rows.map(policyTable.read);
    },
    async list(organizationId) {
      return (await select(organizationId).execute()).map(policyTable.read);
    },
    async get(organizationId, policyId) {
      const row = await select(organizationId).where('id', '=', policyId).executeTakeFirst();
      return policyTable.readOrNull(row);
    },
    async update(organizationId, policyId, change, ifVersion) {
      const row = await db
        .updateTable('policies')
        .set({ ...changedColumns(change), version: sql`version + 1`, updated_at_ms: now() })
        .where('organization_id', '=', organizationId)
        .where('id', '=', policyId)
        .$if(ifVersion !== undefined, (query) => query.where('version', '=', ifVersion!))
        .returningAll()
        .executeTakeFirst();
      if (row !== undefined) return policyTable.read(row);
      if (ifVersion !== undefined && (await policies.get(organizationId, policyId)) !== null) {
        throw new StorageError('conflict', 'This policy was changed meanwhile.');
      }
      throw new StorageError('not_found', 'There is no such policy.');
    },
    async remove(organizationId, policyId) {
      const { numDeletedRows } = await db
        .deleteFrom('policies')
        .where('organization_id', '=', organizationId)
        .where('id', '=', policyId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    ...createPolicyVersions({ db }),
  };
  return policies;
}

function changedColumns(change: Partial<PolicyInput>) {
  return omitUndefined({
    name: change.name === undefined ? undefined : toStorableText(change.name),
    description: change.description === undefined ? undefined : toStorableTextOrNull(change.description),
    action: change.action,
    threat_types: change.threatTypes === undefined ? undefined : JSON.stringify(change.threatTypes),
    priority: change.priority,
    is_active: change.isActive === undefined ? undefined : toFlag(change.isActive),
    rules: change.rules === undefined ? undefined : rulesText(change.rules),
    from_preset: change.fromPreset === undefined ? undefined : toFlag(change.fromPreset),
  });
}

function rulesText(rules: PolicyRules): string | null {
  return Object.keys(rules).length === 0 ? null : toStorableText(JSON.stringify(rules));
}

const MAX_VERSIONS = 100;

function createPolicyVersions({
  db,
}: Pick<RepositoryDeps, 'db'>): Pick<Policies, 'saveVersion' | 'listVersions'> {
  return {
    async saveVersion(organizationId, { policyId, version, changedBy, policy, atMs }) {
      await db
        .insertInto('policy_versions')
        .values({
          policy_id: policyId,
          version,
          organization_id: organizationId,
          changed_by: changedBy,
          policy: toStorableText(JSON.stringify(policy)),
          at_ms: atMs,
        })
        .onConflict((conflict) => conflict.columns(['policy_id', 'version']).doNothing())
        .execute();
    },
    async listVersions(organizationId, policyId) {
      const rows = await db
        .selectFrom('policy_versions')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('policy_id', '=', policyId)
        .orderBy('version', 'desc')
        .limit(MAX_VERSIONS)
        .execute();
      return rows.map(policyVersionTable.read);
    },
  };
}
