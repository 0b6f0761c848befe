import { sql } from 'kysely';
import type { AgentCalls, SessionTaints } from '../model/agents.ts';
import { toFlag, toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createAgentCalls({ db }: Pick<RepositoryDeps, 'db'>): AgentCalls {
  const ofAgent = (organizationId: string, agentId: string) =>
    db
      .selectFrom('agent_calls')
      .where('organization_id', '=', organizationId)
      .where('agent_id', '=', toStorableText(agentId));
  return {
    async insert(organizationId, call) {
      await db
        .insertInto('agent_calls')
        .values({
          id: call.id,
          organization_id: organizationId,
          project_id: call.projectId,
          agent_id: toStorableText(call.agentId),
          session_id: toStorableTextOrNull(call.sessionId),
          tool_name: toStorableText(call.toolName),
          is_allowed: toFlag(call.isAllowed),
          risk_score: call.riskScore,
          anomalies: call.anomalies.join(','),
          at_ms: call.atMs,
        })
        .execute();
    },
    async history(organizationId, agentId, toolName, recentMs) {
      const row = await ofAgent(organizationId, agentId)
        .select((q) => [
          q.fn.countAll<number>().as('total'),
          q.fn.countAll<number>().filterWhere('tool_name', '=', toStorableText(toolName)).as('ofTool'),
          q.fn.countAll<number>().filterWhere('at_ms', '>=', recentMs).as('recent'),
        ])
        .executeTakeFirstOrThrow();
      return row;
    },
    async totals(organizationId, agentId) {
      const row = await ofAgent(organizationId, agentId)
        .select((q) => [
          q.fn.countAll<number>().as('calls'),
          q.fn.countAll<number>().filterWhere('is_allowed', '=', 0).as('blocked'),
          q.fn.avg<number | null>('risk_score').as('meanRisk'),
          q.fn.countAll<number>().filterWhere('anomalies', '<>', '').as('anomalies'),
        ])
        .executeTakeFirstOrThrow();
      return { ...row, meanRisk: Number(row.meanRisk ?? 0) };
    },
    async prune(beforeMs) {
      await db.deleteFrom('agent_calls').where('at_ms', '<', beforeMs).execute();
      await db.deleteFrom('session_taints').where('at_ms', '<', beforeMs).execute();
      await db
        .deleteFrom('requests')
        .where('kind', '=', sql.lit('tool_review' as const))
        .where('ends_at_ms', '<', beforeMs)
        .execute();
    },
  };
}

export function createSessionTaints({ db }: Pick<RepositoryDeps, 'db'>): SessionTaints {
  return {
    async note(organizationId, sessionId, { source, isThreat, atMs }) {
      const isThreatNow = toFlag(isThreat);
      await db
        .insertInto('session_taints')
        .values({
          organization_id: organizationId,
          session_id: toStorableText(sessionId),
          source,
          is_threat: isThreatNow,
          at_ms: atMs,
        })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'session_id', 'source']).doUpdateSet((q) => ({
            is_threat: q.case().when('session_taints.is_threat', '=', 1).then(1).else(isThreatNow).end(),
            at_ms: atMs,
          })),
        )
        .execute();
    },
    async list(organizationId, sessionId) {
      const rows = await db
        .selectFrom('session_taints')
        .select(['source', 'is_threat', 'at_ms'])
        .where('organization_id', '=', organizationId)
        .where('session_id', '=', toStorableText(sessionId))
        .orderBy('source')
        .execute();
      return rows.map((row) => ({
        source: row.source,
        isThreat: row.is_threat === 1,
        atMs: row.at_ms,
      }));
    },
  };
}
