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
 * Stores the end of exceptions that expired, and of requests that were not decided in time. Readers compare the time
 * themselves and do not depend on it. Returns how many; several instances may call it.
 */
export async function closeRequests({ storage }: CloseRequestsDeps): Promise<number> {
  // A read that locks no other request out; nearly always there is nothing to do.
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
    // Sorted, as all writers of several chains do: none waits for another in a circle.
    for (const entry of closed.toSorted((a, b) => (a.organizationId < b.organizationId ? -1 : 1)))
      await repositories.audit.append({ ...entry, actor: 'system' });
    return closed.length;
  });
}
