import type { RecentDecision } from '../agent/control/control-messages.ts';

export interface NextStep {
  readonly text: string;
  readonly page: string;
}

/** The outcome of a decision, from the user's point of view. */
export function decisionTitle({ done, direction, host }: RecentDecision): string {
  const subject = direction === 'input' ? 'Your message to' : 'A response from';
  const outcome = { blocked: 'was blocked', redacted: 'was sent with parts redacted' }[done];
  if (outcome === undefined) return `${subject} ${host} was allowed`;
  if (done === 'redacted' && direction !== 'input')
    return `${subject} ${host} was delivered with parts redacted`;
  return `${subject} ${host} ${outcome}`;
}

/** Returns the request that would allow it the next time: its label and its page of the window. Null: none would. */
export function nextStep({ event_id, reason }: Pick<RecentDecision, 'event_id' | 'reason'>): NextStep | null {
  if (reason === 'unread') return null;
  const event = encodeURIComponent(event_id);
  return reason === 'blocked_tool'
    ? { text: 'Request this tool', page: `#/requests/new?kind=tool&event=${event}` }
    : { text: 'Request exception', page: `#/requests/new?event=${event}` };
}

export function deciderLabel({ decided_by, reason }: Pick<RecentDecision, 'decided_by' | 'reason'>): string {
  if (decided_by === 'cloud') return 'The service of your organization';
  if (reason === 'no_certificate') return 'This computer, because it had no certificate for this connection';
  if (reason === 'pinned') return 'This computer, because the app does not accept its certificate';
  if (decided_by === 'policy') return 'A policy of your organization';
  return reason === 'too_large'
    ? 'This computer, because the text is too large for the service'
    : 'This computer, because the service did not respond';
}
