import type { ToolReviewStatus } from '@csg/shared/contract';
import { newId } from '../ids.ts';
import { type ToolReview, type ToolReviews, toolReviewTable } from '../model/agents.ts';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { listSize } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';

/** The states that also end by expiry. */
const OPEN: readonly ToolReviewStatus[] = ['pending', 'approved', 'denied'];

export function createToolReviews(deps: RepositoryDeps): ToolReviews {
  return {
    ...reviewLookups(deps),
    ...reviewChanges(deps),
  };
}

function reviewReader({
  vault,
  now,
}: Pick<RepositoryDeps, 'vault' | 'now'>): (row: Database['tool_reviews']) => ToolReview {
  return (row) => {
    const isOver = OPEN.includes(row.status) && row.expires_at_ms <= now();
    const sealed = row.sealed_arguments;
    return {
      ...toolReviewTable.read(row),
      arguments:
        sealed === null ? null : JSON.parse(vault.open(sealed, SEAL_CONTEXTS.toolReviewArguments(row.id))),
      ...(isOver ? { status: 'expired' as const } : {}),
    };
  };
}

function reviewLookups(
  deps: RepositoryDeps,
): Pick<ToolReviews, 'get' | 'list' | 'findOpen' | 'countPending'> {
  const { db, vault, now } = deps;
  const hashOf = (call: string): string => vault.lookupHash(call).toString('hex');
  const select = (organizationId: string) =>
    db.selectFrom('tool_reviews').selectAll().where('organization_id', '=', organizationId);
  const toReview = reviewReader(deps);
  return {
    async get(organizationId, reviewId) {
      const row = await select(organizationId).where('id', '=', reviewId).executeTakeFirst();
      return row === undefined ? null : toReview(row);
    },
    async list(organizationId, { status, limit } = {}) {
      let query = select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(listSize(limit));
      if (status !== undefined) {
        query = query.where('status', '=', status).where('expires_at_ms', '>', now());
      }
      return (await query.execute()).map(toReview);
    },
    async findOpen(organizationId, calls) {
      if (calls.length === 0) return null;
      const row = await select(organizationId)
        .where('call_hash', 'in', calls.map(hashOf))
        .where('status', 'in', OPEN)
        .where('expires_at_ms', '>', now())
        .orderBy((q) => q.case().when('status', '=', 'approved').then(0).else(1).end())
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : toReview(row);
    },
    async countPending(organizationId, requestedBy) {
      const { count } = await db
        .selectFrom('tool_reviews')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('requested_by', '=', requestedBy)
        .where('status', '=', 'pending')
        .where('expires_at_ms', '>', now())
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

function reviewChanges(deps: RepositoryDeps): Pick<ToolReviews, 'insert' | 'decide' | 'use'> {
  const { db, vault, now } = deps;
  const hashOf = (call: string): string => vault.lookupHash(call).toString('hex');
  const toReview = reviewReader(deps);
  return {
    async insert(organizationId, review) {
      const id = newId('trev');
      const row: Database['tool_reviews'] = {
        id,
        organization_id: organizationId,
        project_id: review.projectId,
        requested_by: review.requestedBy,
        requester_user_id: review.requesterUserId,
        agent_id: toStorableText(review.agentId),
        session_id: toStorableTextOrNull(review.sessionId),
        tool_name: toStorableText(review.toolName),
        call_hash: hashOf(review.call),
        sealed_arguments:
          review.arguments === null
            ? null
            : vault.seal(JSON.stringify(review.arguments), SEAL_CONTEXTS.toolReviewArguments(id)),
        reason: toStorableText(review.reason),
        status: 'pending',
        decided_by: null,
        decision_reason: null,
        decided_at_ms: null,
        created_at_ms: now(),
        expires_at_ms: review.expiresAtMs,
        event_id: review.eventId ?? null,
      };
      await db.insertInto('tool_reviews').values(row).execute();
      return toReview(row);
    },
    async decide(organizationId, reviewId, { approve, decidedBy, reason, expiresAtMs }) {
      const row = await db
        .updateTable('tool_reviews')
        .set({
          status: approve ? 'approved' : 'denied',
          decided_by: decidedBy,
          decision_reason: toStorableTextOrNull(reason),
          decided_at_ms: now(),
          expires_at_ms: expiresAtMs,
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', reviewId)
        .where('status', '=', 'pending')
        .where('expires_at_ms', '>', now())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toReview(row);
    },
    async use(organizationId, reviewId) {
      const result = await db
        .updateTable('tool_reviews')
        .set({ status: 'used' })
        .where('organization_id', '=', organizationId)
        .where('id', '=', reviewId)
        .where('status', '=', 'approved')
        .where('expires_at_ms', '>', now())
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
  };
}
