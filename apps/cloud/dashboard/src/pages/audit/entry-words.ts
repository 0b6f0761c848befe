import { PROJECT_SETTINGS } from '@csg/shared/contract';
import { timeText } from '../../data/format.ts';
import { STRICTNESS_LABELS, THREAT_LABELS, USE_CASE_LABELS } from '../../data/labels.ts';

type Data = Readonly<Record<string, unknown>>;
type Names = (id: string) => string;

/** The kind of an entry shows whether content was blocked; redactions are recorded as allowed, with their decision. */
const KIND_LABELS: Readonly<Record<string, string>> = {
  policy_allow: 'Decision: allowed or redacted',
  policy_block: 'Decision: blocked',
  sso_changed: 'Single sign-on changed',
  sso_linked: 'Single sign-on linked',
  sso_removed: 'Single sign-on removed',
  'mcp.server_set': 'MCP server set',
  'mcp.server_removed': 'MCP server removed',
  'mcp.tool_changed': 'Tool of an MCP server changed',
  mail_read: 'Email read',
  mail_retried: 'Email sent again',
};

export function kindLabel(kind: string): string {
  return KIND_LABELS[kind] ?? sentence(kind.replaceAll(/[_.]/g, ' '));
}

/** Titles of fields, as on the pages where they are set. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  fail_mode: 'If scanning fails',
  use_case: 'Use case',
  strictness_level: 'Strictness',
  zero_retention: 'Zero retention',
  retention_days: 'Days until events are deleted',
  review_required: 'Tools that require approval',
  blocked: 'Blocked tools',
  allowed: 'Allowed tools',
  is_active: 'Active',
  sso_only: 'Only single sign-on',
  requires_second_factor: 'Two-factor authentication required',
  allowed_ips: 'Allowed IP addresses',
  on_demand: 'Pay-as-you-go',
  spend_cap_usd: 'Spend cap in dollars',
  daily_token_limit: 'Tokens per day',
  url_changed: 'Endpoint URL changed',
  ...Object.fromEntries(Object.entries(PROJECT_SETTINGS).map(([name, { label }]) => [name, label])),
};

/** Values with a name of their own. */
const VALUE_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  use_case: Object.fromEntries(
    Object.entries(USE_CASE_LABELS).map(([name, { name: label }]) => [name, label]),
  ),
  strictness_level: Object.fromEntries(
    Object.entries(STRICTNESS_LABELS).map(([name, { name: label }]) => [name, label]),
  ),
  fail_mode: { open: 'Allow', closed: 'Block' },
  ...Object.fromEntries(Object.entries(PROJECT_SETTINGS).map(([name, { options }]) => [name, options])),
};

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Settings of a project are shown as fields of their own. */
const flat = ({ settings, ...data }: Data): Data => (isObject(settings) ? { ...data, ...settings } : data);

/** What an entry says: each change as `field: before → after`, and other facts as `field: value`. */
export function entryFacts(data: object, nameOf: Names): readonly string[] {
  const { before, was, ...rest } = data as Data;
  if (isObject(before)) return changes(flat(before), flat(rest), nameOf);
  const facts = Object.entries(flat(rest)).filter(
    ([name, value]) => name !== 'version' && value !== 0 && !isEmpty(value),
  );
  if (was === undefined) return facts.map(([name, value]) => `${label(name)}: ${words(name, value, nameOf)}`);
  // One field has changed: a role, or the owner of a device.
  const [changed] = Object.keys(rest).filter((name) => name === 'role' || name === 'user_id');
  return Object.entries(rest)
    .filter(([name, value]) => name === changed || !isEmpty(value))
    .map(([name, value]) =>
      name === changed
        ? `${label(name)}: ${words(name, was, nameOf)} → ${words(name, value, nameOf)}`
        : `${label(name)}: ${words(name, value, nameOf)}`,
    );
}

function changes(before: Data, after: Data, nameOf: Names): readonly string[] {
  const facts = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => [name, before[name], after[name]] as const)
    .filter(([name, was, is]) => name !== 'version' && JSON.stringify(was) !== JSON.stringify(is))
    .map(([name, was, is]) => `${label(name)}: ${words(name, was, nameOf)} → ${words(name, is, nameOf)}`);
  return facts.length === 0 ? ['No recorded setting changed'] : facts;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

function label(name: string): string {
  return (
    FIELD_LABELS[name] ??
    sentence(
      name
        .replace(/_(?:ids?|ms|at_ms)$/, '')
        .replaceAll(/(?=[A-Z])/g, ' ')
        .replaceAll('_', ' ')
        .toLowerCase(),
    )
  );
}

function words(name: string, value: unknown, nameOf: Names): string {
  if (isEmpty(value)) return name in PROJECT_SETTINGS ? 'by default' : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((item) => words(name, item, nameOf)).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([field, one]) => `${label(field).toLowerCase()} ${words(field, one, nameOf)}`)
      .join(', ');
  if (/_at_ms$|_until_ms$|^before_ms$/.test(name)) return timeText(new Date(Number(value)).toISOString());
  if (typeof value !== 'string') return String(value);
  const known = VALUE_LABELS[name]?.[value] ?? (THREAT_LABELS as Readonly<Record<string, string>>)[value];
  // The field name already states the kind of object.
  return known ?? nameOf(value).replace(/^(?:API key|device|project|policy) /, '');
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
