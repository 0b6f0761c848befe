import type { ChainReport } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';

export interface ChainVerifier {
  /** Reads the whole chain of an organization. Those who ask at once share one reading. */
  verify(organizationId: string): Promise<ChainReport>;
}

export function createChainVerifier(storage: Pick<Storage, 'audit' | 'flush'>): ChainVerifier {
  const underWay = new Map<string, Promise<ChainReport>>();
  return {
    verify(organizationId) {
      const known = underWay.get(organizationId);
      if (known !== undefined) return known;
      const started = read(storage, organizationId).finally(() => underWay.delete(organizationId));
      underWay.set(organizationId, started);
      return started;
    },
  };
}

async function read(storage: Pick<Storage, 'audit' | 'flush'>, organizationId: string): Promise<ChainReport> {
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
    notes: [...report.notes],
    events_checked: report.events_checked,
    events_changed: [...report.events_changed],
    events_missing: [...report.events_missing],
    events_unrecorded: [...report.events_unrecorded],
    events_covered_from: report.events_covered_from,
  };
}
