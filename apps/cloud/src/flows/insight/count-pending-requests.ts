import { type PendingCounts, REQUEST_KINDS, type RequestKind } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';

/** A larger number does not help an approver; the badge then shows `200`. */
const MAX_COUNTED = 200;

/** Counts the requests that an admin has to decide. */
export async function countPendingRequests(
  { storage }: { readonly storage: Pick<Storage, 'requests'> },
  organizationId: string,
): Promise<PendingCounts> {
  const pending = await storage.requests.countPendingByKind(organizationId);
  const count = (kind: RequestKind) => Math.min(pending[kind], MAX_COUNTED);
  return {
    waiting: REQUEST_KINDS.reduce((sum, kind) => sum + count(kind), 0),
    exceptions: count('exception'),
    tool_requests: count('tool_request'),
    tool_reviews: count('tool_review'),
    texts: count('false_positive'),
    by_kind: Object.fromEntries(REQUEST_KINDS.map((kind) => [kind, count(kind)])),
  };
}
