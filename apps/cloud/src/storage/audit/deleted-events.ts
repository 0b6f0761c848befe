import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

/** Kind of the row that retention writes, in the transaction that deletes the events named in it. */
export const EVENTS_DELETED_KIND = 'events_deleted';

/** The events that retention has deleted, according to the audit chain. */
export interface DeletedEvents {
  /** True if the event recorded in row `seq` may be missing: a later row records the deletion of such events. */
  has(seq: number, projectId: string | null, atMs: number): boolean;
}

interface Deletion {
  readonly seq: number;
  /** The latest time in this row or in any later one. */
  beforeMs: number;
}

export async function readDeletedEvents(
  db: Kysely<Database>,
  organizationId: string,
): Promise<DeletedEvents> {
  const rows = await db
    .selectFrom('audit_rows')
    .select(['seq', 'data'])
    .where('organization_id', '=', organizationId)
    .where('kind', '=', EVENTS_DELETED_KIND)
    .orderBy('seq', 'desc')
    .execute();
  // Newest first.
  const byProject = new Map<string | null, Deletion[]>();
  for (const { seq, data } of rows) {
    const { before_ms, project_ids } = readData(data);
    for (const projectId of project_ids) {
      const list = byProject.get(projectId) ?? [];
      const later = list.at(-1)?.beforeMs ?? Number.NEGATIVE_INFINITY;
      list.push({ seq, beforeMs: Math.max(before_ms, later) });
      byProject.set(projectId, list);
    }
  }
  return {
    has(seq, projectId, atMs) {
      const list = byProject.get(projectId) ?? [];
      // The oldest deletion after the row has the latest time of all deletions that follow it.
      let low = 0;
      let high = list.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (list[middle]!.seq > seq) low = middle + 1;
        else high = middle;
      }
      return low > 0 && atMs < list[low - 1]!.beforeMs;
    },
  };
}

/** Returns no projects for a row that was changed; its hash reveals the change. */
function readData(data: string): { before_ms: number; project_ids: (string | null)[] } {
  try {
    const { before_ms, project_ids } = JSON.parse(data);
    if (typeof before_ms === 'number' && Array.isArray(project_ids)) return { before_ms, project_ids };
  } catch {
    // A changed row, as described above.
  }
  return { before_ms: Number.NEGATIVE_INFINITY, project_ids: [] };
}
