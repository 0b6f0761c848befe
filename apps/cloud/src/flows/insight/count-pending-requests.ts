import type { PendingCounts } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';

/** A larger number does not help an approver; the badge then shows `200`. */
const MAX_COUNTED = 200;

/** Counts the requests that an admin has to decide. */
export async function countPendingRequests(
  {
    storage,
  }: { readonly storage: Pick<Storage, 'exceptions' | 'toolRequests' | 'toolReviews' | 'eventFeedback'> },
  organizationId: string,
): Promise<PendingCounts> {
  const pending = { status: 'pending', limit: MAX_COUNTED } as const;
  const [exceptions, requests, reviews, texts] = await Promise.all([
    storage.exceptions.list(organizationId, pending),
    storage.toolRequests.list(organizationId, pending),
    storage.toolReviews.list(organizationId, pending),
    storage.eventFeedback.list(organizationId, pending),
  ]);
  return {
    waiting: exceptions.length + requests.length + reviews.length + texts.length,
    exceptions: exceptions.length,
    tool_requests: requests.length,
    tool_reviews: reviews.length,
    texts: texts.length,
  };
}
