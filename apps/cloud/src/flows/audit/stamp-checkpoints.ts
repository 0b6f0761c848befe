import type { Storage } from '../../storage/storage.ts';

/** Signs when data existed (RFC 3161). */
export interface CheckpointStamper {
  stamp(data: string): Promise<{ readonly atMs: number; readonly token: string }>;
  /** The time that a token proves for the data; throws if it proves none. */
  verify(data: string, token: string): Promise<number>;
}

export interface StampDeps {
  readonly storage: Pick<Storage, 'audit'>;
  /** Null: no authority is configured. */
  readonly timestampAuthority: CheckpointStamper | null;
}

/**
 * Has the newest checkpoint of each chain stamped. It covers the earlier ones, so an authority that was away costs
 * precision, never a gap. The chain does not wait for it.
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
