import type { RequestKind } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import { rowOf } from './request-kinds.ts';

export interface CloseRequestsDeps {
  readonly storage: Pick<Storage, 'requests' | 'transaction'>;
}

/**
 * Stores that the time of requests and approvals is over. Readers compare the time themselves and do not depend on it.
 * Returns how many were closed. Several instances may call it concurrently.
 */
export async function closeRequests({ storage }: CloseRequestsDeps): Promise<number> {
  // This read takes no lock; usually there is nothing to close.
  if (!(await storage.requests.hasExpired())) return 0;
  return storage.transaction(async (repositories) => {
    const closed = await repositories.requests.closeExpired();
    // Sorted like in all writers of several chains, so that they cannot deadlock.
    for (const request of closed.toSorted((a, b) => (a.organizationId < b.organizationId ? -1 : 1))) {
      const { organizationId, startsAtMs, endsAtMs } = request;
      const { audit, subject } = rowOf<RequestKind>(request.kind);
      if (audit.expired === undefined) continue;
      await repositories.audit.append({
        organizationId,
        kind: audit.expired,
        actor: 'system',
        subject: subject(request),
        data: startsAtMs === null ? { was: 'pending' } : { expired_at_ms: endsAtMs },
      });
    }
    return closed.length;
  });
}
