import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

/** Kind of the row that retention writes, in the transaction that deletes the events it names. */
export const EVENTS_DELETED_KIND = 'events_deleted';

/** Which events retention has deleted, as far as the audit chain says so. */
export interface DeletedEvents {
  /** Whether an event whose audit row is `seq` may be gone: a later row says that such events were deleted. */
  has(seq: number, projectId: string | null, atMs: number): boolean;
}

interface Deletion {
  readonly seq: number;
  /** The latest time that this row or one after it names. */
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
      // The oldest deletion after the row tells the latest time of all that follow it.
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

/** A row that was changed names nothing; its hash shows that it was changed. */
function readData(data: string): { before_ms: number; project_ids: (string | null)[] } {
  try {
    const { before_ms, project_ids } = JSON.parse(data);
    if (typeof before_ms === 'number' && Array.isArray(project_ids)) return { before_ms, project_ids };
  } catch {
    // see above
  }
  return { before_ms: Number.NEGATIVE_INFINITY, project_ids: [] };
}
