import type { RecentDecision } from '../agent/control-messages.ts';

/** What became of it, from the person's side. */
export function decisionTitle({ done, direction, host }: RecentDecision): string {
  const what = direction === 'input' ? 'Your message to' : 'An answer from';
  const became = { blocked: 'was stopped', redacted: 'was sent with parts masked' }[done];
  if (became === undefined) return `${what} ${host} was let through`;
  if (done === 'redacted' && direction !== 'input') return `${what} ${host} came with parts masked`;
  return `${what} ${host} ${became}`;
}

export function deciderWords(decidedBy: string): string {
  if (decidedBy === 'cloud') return 'The service of your organization';
  return decidedBy === 'device'
    ? 'This computer, because the service did not answer'
    : 'A rule of your organization';
}
