import type { Storage } from '../../storage/storage.ts';

/** Signs that data existed at a time (RFC 3161). */
export interface CheckpointStamper {
  stamp(data: string): Promise<{ readonly atMs: number; readonly token: string }>;
  /** Returns the time that a token proves for the data; throws if the token is invalid. */
  verify(data: string, token: string): Promise<number>;
}

export interface StampDeps {
  readonly storage: Pick<Storage, 'audit'>;
  /** Null if no authority is configured. */
  readonly timestampAuthority: CheckpointStamper | null;
}

/**
 * Timestamps the newest checkpoint of each chain. It covers the earlier ones, so an outage of the authority reduces
 * precision but leaves no gap. The chain does not wait for it.
 */
export async function stampCheckpoints(deps: StampDeps, ending?: AbortSignal): Promise<void> {
  const { storage, timestampAuthority } = deps;
  if (timestampAuthority === null) return;
  for (const { organizationId, number, line } of await storage.audit.listUnstamped()) {
    if (ending?.aborted) return;
    const { atMs, token } = await timestampAuthority.stamp(line);
    await storage.audit.storeTimestamp({ organizationId, number, atMs, token });
  }
}
