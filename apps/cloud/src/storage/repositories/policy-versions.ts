import { type Policies, policyVersionTable } from '../model/policies.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_VERSIONS = 100;

export function createPolicyVersions({
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
