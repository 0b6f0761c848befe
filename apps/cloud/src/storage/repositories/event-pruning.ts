import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import { EVENTS_DELETED_KIND } from '../audit/deleted-events.ts';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import type { Events } from '../model/events.ts';
import type { Database } from '../schema.ts';
import { PROJECT } from './event-project.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const PRUNE_STEP = 1_000;
const DAY_MS = 86_400_000;

export interface EventsDeps extends RepositoryDeps {
  readonly dialect: SqlDialect;
  /** Called after each audit row that a deletion has written. */
  readonly onGrown: (organizationId: string) => void;
}

/** Deletes old events. The cost depends on the deleted events, not on the remaining ones. */
export function eventPruning(deps: EventsDeps): Pick<Events, 'prune' | 'pruneExpired'> {
  const { db } = deps;
  async function prune(organizationId: string, project: string | null, beforeMs: number): Promise<number> {
    for (let pruned = 0; ; ) {
      const deleted = await db.transaction().execute(async (tx) => {
        const rows = await tx
          .deleteFrom('security_events')
          .where('id', 'in', (query) =>
            query
              .selectFrom('security_events')
              .select('id')
              .where('organization_id', '=', organizationId)
              .where('at_ms', '<', beforeMs)
              .$if(project !== null, (ofProject) => ofProject.where(PROJECT, '=', project))
              .orderBy('at_ms')
              .limit(PRUNE_STEP),
          )
          .returning('project_id')
          .execute();
        if (rows.length === 0) return 0;
        // In the same transaction: verification must never miss an event without knowing why.
        const data = {
          before_ms: beforeMs,
          events: rows.length,
          project_ids: [...new Set(rows.map((row) => row.project_id))].sort(),
        };
        const entry = { organizationId, kind: EVENTS_DELETED_KIND, actor: 'system', subject: organizationId };
        await appendAudit(tx, deps, [{ ...entry, data }]);
        return rows.length;
      });
      if (deleted > 0) deps.onGrown(organizationId);
      pruned += deleted;
      if (deleted < PRUNE_STEP) return pruned;
      await nextTurn();
    }
  }
  return {
    prune,
    async pruneExpired(nowMs, otherDays) {
      const projects = await db.selectFrom('projects').select(['id', 'retention_days']).execute();
      const daysOf = new Map(projects.map(({ id, retention_days }) => [id, retention_days]));
      // Iterates over chains, which deleted organizations have, too.
      const chains = await db.selectFrom('audit_heads').select('organization_id').execute();
      let pruned = 0;
      for (const { organization_id } of chains) {
        for (const project of await listProjects(db, organization_id)) {
          const days = daysOf.has(project) ? daysOf.get(project)! : otherDays;
          if (days !== null) pruned += await prune(organization_id, project, nowMs - days * DAY_MS);
        }
      }
      return pruned;
    },
  };
}

/** Returns the projects that have events, '' for none. Steps through the index from project to project. */
async function listProjects(db: Kysely<Database>, organizationId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ project: string }>`
    with recursive found(project) as (
      select * from (
        select ${PROJECT} from security_events where organization_id = ${organizationId} order by ${PROJECT} limit 1
      ) as f
      union all
      select (
        select ${PROJECT} from security_events
        where organization_id = ${organizationId} and ${PROJECT} > found.project order by ${PROJECT} limit 1
      ) from found where found.project is not null
    )
    select project from found where project is not null`.execute(db);
  return rows.map(({ project }) => project);
}
