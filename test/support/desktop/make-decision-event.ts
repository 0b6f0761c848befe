import type { DecisionEvent } from '../../../apps/desktop/src/inspect/decision-event.ts';

/** The event of a secret that the device blocked, with the given changes. */
export function makeDecisionEvent(part: Partial<DecisionEvent> = {}): DecisionEvent {
  return {
    eventId: 'evt_1',
    atMs: 1_760_000_000_000,
    host: 'api.openai.com',
    path: '/v1/chat/completions',
    method: 'POST',
    direction: 'input',
    decision: 'block',
    done: 'blocked',
    decidedBy: 'device',
    threatType: 'secret_leak',
    confidence: 0.9,
    reason: null,
    note: null,
    policyVersion: 'pv_1',
    findings: [{ rule: 'aws-key', type: 'secret_leak', path: '', start: 4, end: 24, confidence: 0.9 }],
    exceptionId: null,
    ...part,
  };
}
