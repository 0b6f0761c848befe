import type { AuditVerificationRecord } from '@csg/shared/contract';
import type { AuditVerification, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';

/** A run that has reported nothing for this long was lost with its process. */
const LOST_AFTER_MS = 5 * 60_000;

/** Returns the latest verifications of an organization's audit log, newest first, with their state and progress. */
export async function listVerifications(
  { storage, clock }: { readonly storage: Pick<Storage, 'auditVerifications'>; readonly clock: Clock },
  organizationId: string,
): Promise<
  readonly (Omit<AuditVerification, 'outcome' | 'seenAtMs'> & Pick<AuditVerificationRecord, 'state'>)[]
> {
  const runs = await storage.auditVerifications.list(organizationId);
  return runs.map(({ outcome, seenAtMs, ...run }) => ({
    ...run,
    state: outcome ?? (clock.now() - seenAtMs > LOST_AFTER_MS ? 'interrupted' : 'running'),
  }));
}
