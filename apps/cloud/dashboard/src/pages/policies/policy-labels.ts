import type {
  DataSource,
  FlowValue,
  PolicyDetail,
  TextRole,
  ToolEffect,
  WeekDay,
} from '@csg/shared/contract';
import { countOf } from '../../data/format.ts';
import { POLICY_PII_LABELS, threatLabel } from '../../data/labels.ts';

export const ROLE_LABELS: Readonly<Record<TextRole, string>> = {
  system: 'Developer instructions',
  user: 'User',
  assistant: 'Model',
  tool: 'Tool',
  document: 'Document',
  other: 'Labels and IDs',
};

export const DAY_LABELS: Readonly<Record<WeekDay, string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

export const DATA_SOURCE_LABELS: Readonly<Record<DataSource, string>> = {
  web_page: 'Web pages',
  email: 'Emails',
  message: 'Messages',
  document: 'Documents',
  ticket: 'Tickets and comments',
  file: 'Files',
  command_output: 'Command output',
  record: 'Records',
  other: 'Other data',
};

export const FLOW_VALUE_LABELS: Readonly<Record<FlowValue, string>> = {
  recipient: 'Recipients',
  address: 'Addresses',
  path: 'Paths',
  command: 'Commands',
  amount: 'Amounts',
  text: 'Copied texts',
};

export const TOOL_EFFECT_LABELS: Readonly<Record<ToolEffect, string>> = {
  send: 'Send',
  publish: 'Publish',
  pay: 'Pay',
  share: 'Share',
  execute: 'Execute',
  delete: 'Delete',
};

/** What the policy matches, in a few words. */
export function criteriaLabel(
  policy: Pick<
    PolicyDetail,
    | 'threat_types'
    | 'conditions'
    | 'patterns'
    | 'blocked_domains'
    | 'allowed_domains'
    | 'allowed_values'
    | 'flow_texts'
  >,
): string {
  const { threat_types, conditions, patterns = [], blocked_domains = [], allowed_domains = [] } = policy;
  const parts: string[] = [];
  if (threat_types.length > 3) parts.push(countOf(threat_types.length, 'threat type'));
  else if (threat_types.length > 0) parts.push(threat_types.map(threatLabel).join(', '));
  const types = conditions?.pii_types ?? [];
  if (types.length > 0)
    parts.push(`only ${types.map((type) => POLICY_PII_LABELS[type].toLowerCase()).join(', ')}`);
  if (patterns.length > 0) parts.push(countOf(patterns.length, 'pattern'));
  if (blocked_domains.length > 0) parts.push(countOf(blocked_domains.length, 'blocked domain'));
  if (allowed_domains.length > 0) parts.push(countOf(allowed_domains.length, 'allowed domain'));
  const { allowed_values = [] } = policy;
  if (allowed_values.length > 0) parts.push(`except ${countOf(allowed_values.length, 'value')}`);
  parts.push(...policy.flow_texts);
  return parts.join(', ') || 'Any';
}

/** Where and when the policy applies. */
export function scopeLabel({ conditions }: Pick<PolicyDetail, 'conditions'>, project: string | null): string {
  const parts = [project ?? 'All projects'];
  const { hosts = [], providers = [], models = [], roles = [], directions = [], schedule } = conditions ?? {};
  parts.push(...hosts.slice(0, 2), ...providers.slice(0, 2), ...models.slice(0, 2));
  if (roles.length > 0)
    parts.push(`author: ${roles.map((role) => ROLE_LABELS[role].toLowerCase()).join(' or ')}`);
  if (directions.length === 1) parts.push(directions[0] === 'input' ? 'prompts' : 'responses');
  if (schedule !== undefined) parts.push('scheduled');
  return parts.join(', ');
}
