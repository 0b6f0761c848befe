import type { ChainReport } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import type { CheckpointStamper } from './stamp-checkpoints.ts';

export interface ChainVerifier {
  /** Verifies the whole chain of an organization. Concurrent callers share one run. */
  verify(organizationId: string): Promise<ChainReport>;
}

/** Creates a verifier. With `timestamps` it also verifies the newest timestamp; null: no authority is configured. */
export function createChainVerifier(
  storage: Pick<Storage, 'audit' | 'flush'>,
  timestamps: CheckpointStamper | null,
): ChainVerifier {
  const underWay = new Map<string, Promise<ChainReport>>();
  return {
    verify(organizationId) {
      const known = underWay.get(organizationId);
      if (known !== undefined) return known;
      const started = read(storage, timestamps, organizationId).finally(() =>
        underWay.delete(organizationId),
      );
      underWay.set(organizationId, started);
      return started;
    },
  };
}

async function read(
  storage: Pick<Storage, 'audit' | 'flush'>,
  timestamps: CheckpointStamper | null,
  organizationId: string,
): Promise<ChainReport> {
  await storage.flush();
  const report = await storage.audit.verify(organizationId);
  return {
    valid: report.valid,
    checked: report.checked,
    ...(report.first_invalid === undefined ? {} : { first_invalid: report.first_invalid }),
    faults: [...report.faults],
    anchored_until: report.anchored_until,
    unanchored_tail: report.unanchored_tail,
    checkpoints: report.checkpoints.map(({ number, seq, at_ms, valid, found_in }) => ({
      number,
      seq,
      at: new Date(at_ms).toISOString(),
      valid,
      found_in: [...found_in],
    })),
    timestamp: await readTimestamp(storage, timestamps, organizationId),
    notes: [...report.notes],
    events_checked: report.events_checked,
    events_changed: [...report.events_changed],
    events_missing: [...report.events_missing],
    events_unrecorded: [...report.events_unrecorded],
    events_covered_from: report.events_covered_from,
  };
}

/** Verifies the newest timestamp. An invalid one, as from an authority that is gone, does not break the chain. */
async function readTimestamp(
  storage: Pick<Storage, 'audit'>,
  timestamps: CheckpointStamper | null,
  organizationId: string,
): Promise<ChainReport['timestamp']> {
  const latest = await storage.audit.latestTimestamp(organizationId);
  if (latest === null || timestamps === null) return null;
  const { seq, line, timestamp } = latest;
  const provenMs = await timestamps.verify(line, timestamp.token).catch(() => null);
  return { seq, at: new Date(provenMs ?? timestamp.atMs).toISOString(), valid: provenMs !== null };
}
