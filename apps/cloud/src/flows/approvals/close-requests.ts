import type { JsonObject, Storage } from '../../storage/storage.ts';

export interface CloseRequestsDeps {
  readonly storage: Pick<Storage, 'exceptions' | 'toolRequests' | 'transaction'>;
}

interface Closed {
  readonly organizationId: string;
  readonly kind: string;
  readonly subject: string;
  readonly data: JsonObject;
}

/**
 * Stores the expiry of exceptions and of requests that were not decided in time. Readers compare the time themselves
 * and do not depend on it. Returns how many were closed. Several instances may call it concurrently.
 */
export async function closeRequests({ storage }: CloseRequestsDeps): Promise<number> {
  // This read takes no lock; usually there is nothing to close.
  const looks = await Promise.all([storage.exceptions.hasExpired(), storage.toolRequests.hasExpired()]);
  if (!looks.includes(true)) return 0;
  return storage.transaction(async (repositories) => {
    const exceptions = await repositories.exceptions.closeExpired();
    const toolRequests = await repositories.toolRequests.closeExpired();
    const closed: readonly Closed[] = [
      ...exceptions.map(({ organizationId, id, expiresAtMs }) => ({
        organizationId,
        kind: 'exception_expired',
        subject: id,
        data: expiresAtMs === null ? { was: 'pending' } : { expired_at_ms: expiresAtMs },
      })),
      ...toolRequests.map(({ organizationId, id }) => ({
        organizationId,
        kind: 'tool_request_expired',
        subject: id,
        data: { was: 'pending' },
      })),
    ];
    // Sorted like in all writers of several chains, so that they cannot deadlock.
    for (const entry of closed.toSorted((a, b) => (a.organizationId < b.organizationId ? -1 : 1)))
      await repositories.audit.append({ ...entry, actor: 'system' });
    return closed.length;
  });
}
