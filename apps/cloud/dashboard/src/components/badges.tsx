import { DECISION_COLORS } from '@csg/shared/theme';
import { Badge, type BadgeProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { threatLabel } from '../data/labels.ts';

/** A decision (allow, redact, block, monitor), always as a word in the same color. */
export function DecisionBadge(props: { readonly decision: string } & BadgeProps) {
  const { decision, ...rest } = props;
  // Most requests are allowed; only the exceptions get a color.
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
  quiet: { color: 'teal', label: 'Protected', about: 'Reporting normally.' },
  programs_only: {
    color: 'yellow',
    label: 'Some programs only',
    about:
      'The agent does not change its proxy setting, so only programs started with `agent env` are protected.',
  },
  needs_administrator: {
    color: 'orange',
    label: 'Needs administrator',
    about:
      'It cannot inspect some added hosts until an administrator runs `agent ca install` on it. All others are inspected.',
  },
  retrying: { color: 'yellow', label: 'Retrying', about: 'The proxy failed and is being restarted.' },
  gave_up: {
    color: 'red',
    label: 'Protection off',
    about: 'The proxy failed repeatedly, so this device is not protected. Its network works normally.',
  },
  silent: { color: 'orange', label: 'Not reporting', about: 'No report for three minutes or more.' },
  never_seen: {
    color: 'gray',
    label: 'Never reported',
    about: 'Enrolled, but the agent has not reported yet.',
  },
  revoked: { color: 'gray', label: 'Revoked' },
  pending: { color: 'yellow', label: 'Pending' },
  approved: { color: 'teal', label: 'Approved' },
  denied: { color: 'red', label: 'Denied' },
  cancelled: { color: 'gray', label: 'Cancelled' },
  expired: { color: 'gray', label: 'Expired' },
  open: { color: 'teal', label: 'Open' },
  spent: { color: 'gray', label: 'Used up' },
  accepted: { color: 'teal', label: 'Accepted' },
  delivered: { color: 'teal', label: 'Delivered' },
  failed: { color: 'red', label: 'Failed' },
  sent: { color: 'teal', label: 'Sent' },
  waiting: { color: 'yellow', label: 'Pending' },
  unsent: { color: 'blue', label: 'Not sent' },
  active: { color: 'teal', label: 'Active' },
  inactive: { color: 'gray', label: 'Inactive' },
};

/** The state of a device, request, delivery …: a label, a color, and its meaning on hover and focus. */
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
