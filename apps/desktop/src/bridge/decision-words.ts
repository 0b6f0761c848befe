import type { RecentDecision } from '../agent/control/control-messages.ts';

export interface WayOn {
  readonly text: string;
  readonly page: string;
}

/** What became of it, from the person's side. */
export function decisionTitle({ done, direction, host }: RecentDecision): string {
  const what = direction === 'input' ? 'Your message to' : 'An answer from';
  const became = { blocked: 'was stopped', redacted: 'was sent with parts masked' }[done];
  if (became === undefined) return `${what} ${host} was let through`;
  if (done === 'redacted' && direction !== 'input') return `${what} ${host} came with parts masked`;
  return `${what} ${host} ${became}`;
}

/** What can be asked for so that it passes the next time: its words, and the page of the window that asks. */
export function wayOn({ event_id, reason }: Pick<RecentDecision, 'event_id' | 'reason'>): WayOn {
  const event = encodeURIComponent(event_id);
  return reason === 'blocked_tool'
    ? { text: 'Ask for this tool', page: `#/requests/new?kind=tool&event=${event}` }
    : { text: 'Request exception', page: `#/requests/new?event=${event}` };
}

export function deciderWords({ decided_by, reason }: Pick<RecentDecision, 'decided_by' | 'reason'>): string {
  if (decided_by === 'cloud') return 'The service of your organization';
  if (reason === 'no_certificate') return 'This computer, because it had no certificate for this connection';
  if (decided_by === 'policy') return 'A rule of your organization';
  return reason === 'too_large'
    ? 'This computer, because a text is too large for the service'
    : 'This computer, because the service did not answer';
}
