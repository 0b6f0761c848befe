import type { ChainReport } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { notify } from '../notifications/notify.ts';
import type { CheckpointStamper } from './stamp-checkpoints.ts';
import { createChainVerifier } from './verify-chains.ts';

export interface VerifyDailyDeps {
  readonly storage: Pick<
    Storage,
    'audit' | 'auditVerifications' | 'endpoints' | 'flush' | 'notifications' | 'organizations'
  >;
  readonly timestampAuthority: CheckpointStamper | null;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
}

const VERIFIED = 'audit.verified:';

/** Verifies the audit log of every organization once a day (UTC), by whichever instance is first. */
export async function verifyDaily(deps: VerifyDailyDeps, ending?: AbortSignal): Promise<void> {
  const { storage, clock, log } = deps;
  const verifier = createChainVerifier(storage, deps.timestampAuthority);
  const today = `${VERIFIED}${new Date(clock.now()).toISOString().slice(0, 10)}`;
  for (const organizationId of await storage.audit.listOrganizations()) {
    if (ending?.aborted) return;
    // The chain of a deleted organization remains, but has no one to notify.
    if ((await storage.organizations.get(organizationId)) === null) continue;
    if (!(await storage.notifications.mark(organizationId, today))) continue;
    const marks = await storage.notifications.listMarks(organizationId);
    const past = marks.filter((key) => key.startsWith(VERIFIED) && key !== today);
    await storage.notifications.removeMarks(organizationId, past);
    const report = await verifier.verify(organizationId, 'system');
    if (report.valid) continue;
    log.error(
      { organization_id: organizationId, first_invalid: report.first_invalid },
      'the audit log of an organization does not verify',
    );
    await notifyOfFailure(deps, organizationId, report);
  }
}

/** Sends one notification per first broken row, no matter which run finds it. */
export async function notifyOfFailure(
  {
    storage,
    clock,
  }: { readonly storage: Pick<Storage, 'notifications' | 'endpoints'>; readonly clock: Clock },
  organizationId: string,
  report: ChainReport,
): Promise<void> {
  const problem = report.first_invalid;
  if (problem === undefined) return;
  const signal = {
    event: 'audit.failed' as const,
    key: `audit.failed:${problem.seq}:${problem.reason}`,
    text: `The audit log failed verification: ${problem.message}`,
    data: { first_invalid: problem },
  };
  await notify(storage, organizationId, signal, clock.now());
}
