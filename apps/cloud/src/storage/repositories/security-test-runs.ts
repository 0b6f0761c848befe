import { newId } from '../ids.ts';
import { type SecurityTestRuns, securityTestRunTable } from '../model/insight.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_LISTED = 50;

export function createSecurityTestRuns({ db, now }: Pick<RepositoryDeps, 'db' | 'now'>): SecurityTestRuns {
  const select = (organizationId: string) =>
    db.selectFrom('security_test_runs').selectAll().where('organization_id', '=', organizationId);
  return {
    async insert(organizationId, run) {
      const row = {
        id: newId('run'),
        organization_id: organizationId,
        target_preset: run.targetPreset,
        started_by: run.startedBy,
        duration_ms: Math.round(run.durationMs),
        report: run.report,
        created_at_ms: now(),
      };
      await db.insertInto('security_test_runs').values(row).execute();
      return securityTestRunTable.read(row);
    },
    async get(organizationId, runId) {
      const row = await select(organizationId).where('id', '=', runId).executeTakeFirst();
      return securityTestRunTable.readOrNull(row);
    },
    async list(organizationId) {
      const rows = await select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(securityTestRunTable.read);
    },
  };
}
