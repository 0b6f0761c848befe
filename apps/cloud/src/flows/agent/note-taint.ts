import type { Finding } from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import type { SessionTaint, Storage } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';

export interface TaintDeps {
  readonly storage: Pick<Storage, 'sessionTaints'>;
  readonly clock: Clock;
}

const MAX_SESSION_ID = 255;

/**
 * Records that a session has read untrusted data, and whether a threat was found in it. Without a session, or if
 * everything came from people and the model, there is nothing to record.
 */
export async function noteTaint(
  deps: TaintDeps,
  principal: Principal,
  sessionId: string | null | undefined,
  source: 'guard' | 'scrape',
  slots: readonly TextSlot[],
  findings: readonly Finding[],
): Promise<void> {
  if (!sessionId) return;
  const isFromStrangers = (slot: TextSlot | undefined): boolean =>
    slot?.role === 'tool_result' || slot?.role === 'document';
  if (source === 'guard' && !slots.some(isFromStrangers)) return;
  const threat = findings.find(
    (finding) => finding.pii === undefined && (source === 'scrape' || isFromStrangers(slots[finding.slot])),
  );
  const taint: SessionTaint = {
    source: threat !== undefined && slots[threat.slot]?.role === 'tool_result' ? 'tool' : source,
    isThreat: threat !== undefined,
    atMs: deps.clock.now(),
  };
  await deps.storage.sessionTaints.note(principal.organizationId, sessionId.slice(0, MAX_SESSION_ID), taint);
}
