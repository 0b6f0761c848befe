import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ApprovalScope } from '../model/approvals.ts';
import type { Database } from '../schema.ts';

/** Bounds one list of placeholders. */
const MAX_IDS = 500;
export const MAX_LIST = 200;
export const DEFAULT_LIST = 50;

export function listSize(limit: number | undefined): number {
  return Math.max(1, Math.min(limit ?? DEFAULT_LIST, MAX_LIST));
}

/** The device's own, or asked for by a key of the project, or of the whole organization. */
export function isActiveFor<T extends 'exceptions' | 'tool_requests'>(scope: ApprovalScope) {
  return (query: ExpressionBuilder<Database, T>): Expression<SqlBool> => {
    // Both tables have these columns; Kysely cannot tell so of a type parameter.
    const q = query as unknown as ExpressionBuilder<Database, 'exceptions'>;
    const shared = q.and([
      q('device_id', 'is', null),
      q.or([q('project_id', 'is', null), q('project_id', '=', scope.projectId)]),
    ]);
    return scope.deviceId === null ? shared : q.or([q('device_id', '=', scope.deviceId), shared]);
  };
}

/** Asks in steps that fit into one statement. */
export async function inSteps<T>(
  ids: readonly string[],
  query: (step: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let at = 0; at < ids.length; at += MAX_IDS) found.push(...(await query(ids.slice(at, at + MAX_IDS))));
  return found;
}
