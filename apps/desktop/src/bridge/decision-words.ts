import type { RecentDecision } from '../agent/control/control-messages.ts';

export interface NextStep {
  readonly text: string;
  readonly page: string;
}

/** What became of it, from the person's side. */
export function decisionTitle({ done, direction, host }: RecentDecision): string {
  const subject = direction === 'input' ? 'Your message to' : 'An answer from';
  const outcome = { blocked: 'was stopped', redacted: 'was sent with parts masked' }[done];
  if (outcome === undefined) return `${subject} ${host} was let through`;
  if (done === 'redacted' && direction !== 'input') return `${subject} ${host} came with parts masked`;
  return `${subject} ${host} ${outcome}`;
}

/** What can be asked for so that it passes the next time: its words, and the page of the window that asks. */
export function nextStep({ event_id, reason }: Pick<RecentDecision, 'event_id' | 'reason'>): NextStep {
  const event = encodeURIComponent(event_id);
  return reason === 'blocked_tool'
    ? { text: 'Ask for this tool', page: `#/requests/new?kind=tool&event=${event}` }
    : { text: 'Request exception', page: `#/requests/new?event=${event}` };
}

export function deciderLabel({ decided_by, reason }: Pick<RecentDecision, 'decided_by' | 'reason'>): string {
  if (decided_by === 'cloud') return 'The service of your organization';
  if (reason === 'no_certificate') return 'This computer, because it had no certificate for this connection';
  if (decided_by === 'policy') return 'A rule of your organization';
  return reason === 'too_large'
    ? 'This computer, because a text is too large for the service'
    : 'This computer, because the service did not answer';
}
