import type { CompiledPolicy } from './compile-policy.ts';
import type { DecisionEvent } from './decision-event.ts';

export interface UnopenedFacts {
  readonly host: string;
  /** `late`: the agent has not answered in time. `refused`: it said that it cannot make a certificate. */
  readonly why: 'late' | 'refused';
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
} as const;

/**
 * A connection that the policy opens, while there is no certificate to open it with. Nothing of it can be read, so it
 * passes only where the device monitors, or where the agent has said that there will be none and the policy fails open.
 * A late certificate is a matter of seconds: the app is refused and comes again. Either way it is reported.
 */
export function decideUnopened(
  { policy, isBlockedTool }: CompiledPolicy,
  facts: UnopenedFacts,
): UnopenedAction {
  const isStopped = facts.why === 'late' || policy.failClosed || isBlockedTool(facts.host);
  const kind = isStopped && policy.mode === 'enforce' ? 'refuse' : 'tunnel';
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
      reason: 'no_certificate',
      note: NOTES[facts.why],
      policyVersion: policy.policyVersion,
      findings: [],
      exceptionId: null,
    },
  };
}
