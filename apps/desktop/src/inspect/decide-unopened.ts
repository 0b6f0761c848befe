import type { CompiledPolicy } from './compile-policy.ts';
import type { DecisionEvent } from './decision-event.ts';

export interface UnopenedFacts {
  readonly host: string;
  /**
   * `late`: the agent has not responded in time. `refused`: it cannot make a certificate. `pinned`: the app does not
   * accept the certificate and is tunneled. `closed`: the same, but the app must not be tunneled.
   */
  readonly why: 'late' | 'refused' | 'pinned' | 'closed';
  /** The path of the app's program, if it is known. */
  readonly process: string | null;
  readonly nowMs: number;
  readonly newEventId: string;
}

export interface UnopenedAction {
  readonly kind: 'refuse' | 'tunnel';
  readonly event: DecisionEvent;
}

const NOTES = {
  late: 'The agent has not provided a certificate for this host in time.',
  refused: 'The agent cannot make a certificate for this host.',
  pinned: 'does not accept the certificate of the agent, so its traffic to this host is not inspected.',
  closed: 'does not accept the certificate of the agent, so it cannot connect to this host.',
} as const;

/**
 * Decides a connection that the policy opens, but for which there is no certificate. It cannot be read, so it passes
 * only if the device monitors, or if the agent has reported that there will be none and the policy fails open. A late
 * certificate takes only seconds: the app is refused and retries. An app that does not accept the certificate is
 * tunneled only if it is known. Each case is reported.
 */
export function decideUnopened(
  { policy, isBlockedTool }: CompiledPolicy,
  facts: UnopenedFacts,
): UnopenedAction {
  const isPinned = facts.why === 'pinned' || facts.why === 'closed';
  const isStopped = isPinned
    ? facts.why === 'closed'
    : facts.why === 'late' || policy.failClosed || isBlockedTool(facts.host);
  const kind = isStopped && (isPinned || policy.mode === 'enforce') ? 'refuse' : 'tunnel';
  return {
    kind,
    event: {
      eventId: facts.newEventId,
      atMs: facts.nowMs,
      host: facts.host,
      path: '',
      method: 'CONNECT',
      direction: 'input',
      decision: isStopped ? 'block' : 'allow',
      done: kind === 'refuse' ? 'blocked' : 'forwarded',
      decidedBy: 'policy',
      threatType: null,
      confidence: 0,
      reason: isPinned ? 'pinned' : 'no_certificate',
      note: isPinned ? `${facts.process ?? 'An unknown program'} ${NOTES[facts.why]}` : NOTES[facts.why],
      policyVersion: policy.policyVersion,
      findings: [],
      exceptionId: null,
    },
  };
}
