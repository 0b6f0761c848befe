import { DECISION_COLORS } from '@csg/shared/theme';
import { Badge, type BadgeProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { threatLabel } from '../data/labels.ts';

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
  return props.type == null ? '–' : threatLabel(props.type);
}

const STATES: Readonly<
  Record<string, { readonly color: string; readonly label: string; readonly about?: string }>
> = {
  quiet: { color: 'teal', label: 'Protecting', about: 'It reports, and all is well there.' },
  retrying: { color: 'yellow', label: 'Retrying', about: 'Its proxy fails and is being started again.' },
  gave_up: {
    color: 'red',
    label: 'Gave up',
    about: 'Its proxy kept failing: this machine is not protected. Its network works normally.',
  },
  silent: { color: 'orange', label: 'Silent', about: 'No report for three minutes or more.' },
  never_seen: { color: 'gray', label: 'Never reported', about: 'Enrolled; its agent has not reported yet.' },
  revoked: { color: 'gray', label: 'Revoked' },
  pending: { color: 'yellow', label: 'Waiting' },
  approved: { color: 'teal', label: 'Approved' },
  denied: { color: 'red', label: 'Denied' },
  cancelled: { color: 'gray', label: 'Withdrawn' },
  expired: { color: 'gray', label: 'Expired' },
  open: { color: 'teal', label: 'Open' },
  spent: { color: 'gray', label: 'Used up' },
  accepted: { color: 'teal', label: 'Accepted' },
  delivered: { color: 'teal', label: 'Delivered' },
  failed: { color: 'red', label: 'Failed' },
  sent: { color: 'teal', label: 'Sent' },
  waiting: { color: 'yellow', label: 'Waiting' },
  kept: { color: 'blue', label: 'Kept here' },
  active: { color: 'teal', label: 'Active' },
  inactive: { color: 'gray', label: 'Off' },
};

/** The state of a device, request, delivery …: a word, a colour, and what it means on hover and focus. */
export function StateBadge(props: { readonly state: string; readonly children?: ReactNode }) {
  const { color, label, about } = STATES[props.state] ?? {
    color: 'gray',
    label: props.state.replaceAll('_', ' '),
  };
  const badge = (
    <Badge color={color} {...(about === undefined ? {} : { tabIndex: 0 })}>
      {props.children ?? label}
    </Badge>
  );
  return about === undefined ? badge : <Tooltip label={about}>{badge}</Tooltip>;
}
