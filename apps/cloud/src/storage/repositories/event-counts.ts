import { sql } from 'kysely';
import type { EventCounts } from '../model/insight.ts';
import { isOfProject } from './event-project.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createEventCounts({ reads }: Pick<RepositoryDeps, 'reads'>): EventCounts {
  return {
    async count(organizationId, { fromMs, toMs, projectId, direction }) {
      let query = reads
        .selectFrom('security_events')
        .select((q) => [
          'decision',
          'threat_type',
          q.fn.countAll<number>().as('count'),
          q.fn.count<number>('failed').as('failed'),
        ])
        .where('organization_id', '=', organizationId)
        .where('at_ms', '>=', fromMs)
        .where('at_ms', '<', toMs)
        .groupBy(['decision', 'threat_type']);
      if (projectId !== undefined) query = query.where(isOfProject(projectId));
      if (direction !== undefined) query = query.where('direction', '=', direction);
      return (await query.execute()).map((row) => ({
        decision: row.decision,
        threatType: row.threat_type,
        count: row.count,
        failed: row.failed,
      }));
    },
    async countFound(organizationId, { fromMs, toMs, projectId }) {
      let query = reads
        .selectFrom('security_events')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('findings', 'is not', null)
        .where('at_ms', '>=', fromMs)
        .where('at_ms', '<', toMs);
      if (projectId !== undefined) query = query.where(isOfProject(projectId));
      return (await query.executeTakeFirstOrThrow()).count;
    },
    async latenciesUs(organizationId, filter, limit) {
      let query = reads
        .selectFrom('security_events')
        .select('latency_us')
        .where('organization_id', '=', organizationId)
        // Events uploaded by a device were scanned there.
        .where(sql<boolean>`device_id is null`)
        .orderBy('at_ms', 'desc')
        .limit(limit);
      if (filter.projectId !== undefined) query = query.where(isOfProject(filter.projectId));
      if (filter.fromMs !== undefined) query = query.where('at_ms', '>=', filter.fromMs);
      return (await query.execute()).map((row) => row.latency_us);
    },
  };
}
