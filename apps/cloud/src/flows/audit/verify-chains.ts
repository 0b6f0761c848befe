import type { ChainReport } from '@csg/shared/contract';
import type { AuditReport, Storage, VerifyProgress } from '../../storage/storage.ts';
import type { CheckpointStamper } from './stamp-checkpoints.ts';

export interface ChainVerifier {
  /**
   * Verifies the whole chain of an organization and records the run with its progress. Concurrent callers share one
   * run. `startedBy`: id of a user or token, or `system`.
   */
  verify(organizationId: string, startedBy: string): Promise<ChainReport>;
}

type VerifierStorage = Pick<Storage, 'audit' | 'auditVerifications' | 'flush'>;

/** Creates a verifier. With `timestamps` it also verifies the newest timestamp; null: no authority is configured. */
export function createChainVerifier(
  storage: VerifierStorage,
  timestamps: CheckpointStamper | null,
): ChainVerifier {
  const underWay = new Map<string, Promise<ChainReport>>();
  return {
    verify(organizationId, startedBy) {
      const known = underWay.get(organizationId);
      if (known !== undefined) return known;
      const started = read(storage, timestamps, organizationId, startedBy).finally(() =>
        underWay.delete(organizationId),
      );
      underWay.set(organizationId, started);
      return started;
    },
  };
}

async function read(
  storage: VerifierStorage,
  timestamps: CheckpointStamper | null,
  organizationId: string,
  startedBy: string,
): Promise<ChainReport> {
  await storage.flush();
  const report = await verifyRecorded(storage, organizationId, startedBy);
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

async function verifyRecorded(
  { audit, auditVerifications: runs }: VerifierStorage,
  organizationId: string,
  startedBy: string,
): Promise<AuditReport> {
  const id = await unlessStorageFails(runs.start(organizationId, startedBy));
  if (id === undefined) return await audit.verify(organizationId);
  // One write at a time, in order; progress that arrives meanwhile is skipped.
  let writing: Promise<unknown> | undefined;
  const onProgress = (progress: VerifyProgress): void => {
    writing ??= unlessStorageFails(runs.progress(organizationId, id, progress)).finally(() => {
      writing = undefined;
    });
  };
  const end = async (outcome: 'valid' | 'invalid' | 'failed', firstInvalid: number | null) => {
    await writing;
    await unlessStorageFails(runs.end(organizationId, id, { outcome, firstInvalid }));
  };
  try {
    const report = await audit.verify(organizationId, onProgress);
    await end(report.valid ? 'valid' : 'invalid', report.first_invalid?.seq ?? null);
    return report;
  } catch (error) {
    await end('failed', null);
    throw error;
  }
}

/** The report matters, not its record: with a full disk, or while storage closes, the log is still verified. */
async function unlessStorageFails<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch {
    return undefined;
  }
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
