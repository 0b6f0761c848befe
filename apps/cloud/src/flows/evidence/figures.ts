import type { ThreatType } from '@csg/shared/contract';

/** All figures that controls may use: the label, and the dashboard page with the details. */
export const FIGURES = {
  decisions: { label: 'Decisions recorded in the audit log', path: '/audit' },
  blocked: { label: 'Decisions that blocked content', path: '/events?decision=block' },
  redacted: { label: 'Events with redacted content', path: '/events?decision=redact' },
  unscanned: { label: 'Events whose content could not be scanned', path: '/events' },
  changes: { label: 'Administrative actions recorded', path: '/audit' },
  log_rows: { label: 'Entries of the audit log, since it began', path: '/audit' },
  log_anchored: { label: 'Entries that a signed checkpoint covers', path: '/audit' },
  checkpoint_targets: { label: 'External places that receive checkpoints', path: '/audit' },
  log_exports: { label: 'Exports of the audit log', path: '/audit' },
  policies: { label: 'Active policies', path: '/policies' },
  policy_changes: { label: 'Changes of policies', path: '/policies' },
  requests_made: { label: 'Requests for approval by people', path: '/requests/all' },
  requests_decided: { label: 'Requests for approval decided by another person', path: '/requests/all' },
  reviews_held: { label: 'Tool calls held for review', path: '/requests/all' },
  reviews_decided: { label: 'Tool calls decided by a reviewer', path: '/requests/all' },
  false_positives: { label: 'Decisions reported as mistakes', path: '/events' },
  test_runs: { label: 'Security test runs', path: '/security-testing' },
  models: { label: 'Models that were called', path: '/plan' },
  provider_calls: { label: 'Calls to model providers', path: '/plan' },
  rejected: { label: 'Requests rejected by a limit, a quota or a missing permission', path: '/plan' },
  projects: { label: 'Projects', path: '/projects' },
  projects_fail_open: { label: 'Projects that allow content when scanning fails', path: '/projects' },
  projects_short_retention: { label: 'Projects that keep events for less than 183 days', path: '/projects' },
  members: { label: 'Members', path: '/members' },
  administrators: { label: 'Owners and admins', path: '/members' },
  second_factor_rule: { label: 'Two-factor authentication required (1: yes)', path: '/settings' },
  keys: { label: 'API keys in use', path: '/keys' },
  devices: { label: 'Enrolled devices', path: '/devices' },
  notification_targets: { label: 'Places that are notified of incidents', path: '/settings' },
} as const satisfies Record<string, { readonly label: string; readonly path: string }>;

export type FigureId = keyof typeof FIGURES | ThreatType;
export type Figures = Readonly<Record<FigureId, number>>;
