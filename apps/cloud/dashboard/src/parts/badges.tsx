import { DECISION_COLORS } from '@csg/shared/look';
import { Badge, type BadgeProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { threatWord } from '../data/words.ts';

/** allow, redact, block, monitor: always in the same colours, always as a word. */
export function DecisionBadge(props: { readonly decision: string } & BadgeProps) {
  const { decision, ...rest } = props;
  // What passes is the rule: colour is kept for what does not.
  const color =
    decision === 'allow'
      ? 'gray'
      : ((DECISION_COLORS as Readonly<Record<string, string>>)[decision] ?? 'gray');
  return (
    <Badge color={color} {...rest}>
      {decision}
    </Badge>
  );
}

export function ThreatText(props: { readonly type: string | null | undefined }) {
  return props.type == null ? '–' : threatWord(props.type);
}

const STATES: Readonly<
  Record<string, { readonly color: string; readonly word: string; readonly about?: string }>
> = {
  quiet: { color: 'teal', word: 'Protecting', about: 'It reports, and all is well there.' },
  retrying: { color: 'yellow', word: 'Retrying', about: 'Its proxy fails and is being started again.' },
  gave_up: {
    color: 'red',
    word: 'Gave up',
    about: 'Its proxy kept failing: this machine is not protected. Its network works normally.',
  },
  silent: { color: 'orange', word: 'Silent', about: 'No report for three minutes or more.' },
  never_seen: { color: 'gray', word: 'Never reported', about: 'Enrolled; its agent has not reported yet.' },
  revoked: { color: 'gray', word: 'Revoked' },
  pending: { color: 'yellow', word: 'Waiting' },
  approved: { color: 'teal', word: 'Approved' },
  denied: { color: 'red', word: 'Denied' },
  cancelled: { color: 'gray', word: 'Withdrawn' },
  expired: { color: 'gray', word: 'Expired' },
  open: { color: 'teal', word: 'Open' },
  spent: { color: 'gray', word: 'Used up' },
  accepted: { color: 'teal', word: 'Accepted' },
  delivered: { color: 'teal', word: 'Delivered' },
  failed: { color: 'red', word: 'Failed' },
  sent: { color: 'teal', word: 'Sent' },
  waiting: { color: 'yellow', word: 'Waiting' },
  kept: { color: 'blue', word: 'Kept here' },
  active: { color: 'teal', word: 'Active' },
  inactive: { color: 'gray', word: 'Off' },
};

/** The state of a device, request, delivery …: a word, a colour, and what it means on hover and focus. */
export function StateBadge(props: { readonly state: string; readonly children?: ReactNode }) {
  const { color, word, about } = STATES[props.state] ?? {
    color: 'gray',
    word: props.state.replaceAll('_', ' '),
  };
  const badge = (
    <Badge color={color} {...(about === undefined ? {} : { tabIndex: 0 })}>
      {props.children ?? word}
    </Badge>
  );
  return about === undefined ? badge : <Tooltip label={about}>{badge}</Tooltip>;
}
