/** Fills every table with rows of a large organization, by one statement each. */
import { createHash } from 'node:crypto';

/** A table and its columns. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: 'text' | 'number' | 'bytes';
    readonly isNullable: boolean;
  }[];
  /** Columns of each unique index. */
  readonly unique: readonly (readonly string[])[];
}

const LAST_MS = Date.UTC(2026, 10, 20, 12);
const SPAN_MS = 30 * 86_400_000;
/** Recorded times are replaced by it: a page that continues here must not read the newer half. */
export const MIDDLE_MS = LAST_MS - SPAN_MS / 2;
/** One row in so many has the rare value: pending, revoked, of another organization. */
const RARE = 200;

/** Beginning of the ids in a table or of those that a column names. */
const PREFIXES: Readonly<Record<string, string>> = {
  users: 'usr',
  organizations: 'org',
  projects: 'proj',
  keys: 'key',
  policies: 'pol',
  enrollments: 'enr',
  devices: 'dev',
  security_events: 'evt',
  requests: 'exc',
  sessions: 'ses',
  invitations: 'inv',
  mails: 'mail',
  directory_tokens: 'dirt',
  directory_groups: 'dgrp',
  group_id: 'dgrp',
  webhook_deliveries: 'whd',
  scrape_jobs: 'job',
  security_test_runs: 'run',
  saved_filters: 'flt',
  endpoints: 'whk',
  allowed_texts: 'alt',
  audit_verifications: 'ver',
  actor: 'usr',
  user_id: 'usr',
  owner_id: 'usr',
  requester_user_id: 'usr',
  project_id: 'proj',
  key_id: 'key',
  device_id: 'dev',
  policy_id: 'pol',
  event_id: 'evt',
  job_id: 'job',
  enrollment_id: 'enr',
  delivery_id: 'whd',
  account_id: 'usr',
  endpoint_id: 'whk',
}; // prettier-ignore

/** So many different values of a column that names others: of 34 projects, 400 devices … */
const FANOUT: Readonly<Record<string, number>> = {
  project_id: 34,
  key_id: 150,
  device_id: 400,
  user_id: 66,
  owner_id: 66,
  policy_id: 61,
  requester_user_id: 66,
  actor: 67,
}; // prettier-ignore

/** Tables of which a person has few rows. */
const OWN = new Set(['sso_identities', 'sessions', 'second_factors', 'known_browsers', 'account_links']);

/** Values of `status` and the like: of nearly all rows, and of the rare ones. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  'endpoints.kind': ['webhook', 'notification'],
  'webhook_deliveries.kind': ['webhook', 'notification'],
  'webhook_deliveries.status': ['delivered', 'pending'],
  'mails.status': ['sent', 'waiting'],
  'requests.status': ['expired', 'approved'],
  'requests.kind': ['exception', 'tool_review'],
  'invitations.status': ['accepted', 'open'],
  'scrape_pages.status': ['done', 'pending'],
  'security_events.decision': ['allow', 'block'],
  'security_events.direction': ['input', 'output'],
  'audit_rows.kind': ['policy_allow', 'key_created'],
  'organizations.kind': ['team', 'personal'],
  'idempotency_records.state': ['done', 'running'],
}; // prettier-ignore

/** Columns that nearly always have no value. */
const MOSTLY_NULL =
  /^(?:revoked_at_ms|threat_type|findings|unscanned|failed|deleted_at_ms|last_error|decided_by|paused_at_ms)$/;

/** Times that are as often in the future as in the past, whenever the row was added. */
const ENDS = /(?:^|_)(?:ends_at|expires_at|due_at|until)_ms$/;

/** The insert of the rows, numbered from 1. `bytes` turns a text into bytes. */
export function fillStatement(
  table: TableShape,
  source: string,
  bytes: (text: string) => string,
  rows: number,
): string {
  const values = table.columns.map((column) => exampleValue(table, column, bytes, rows));
  const names = table.columns.map(({ name }) => `"${name}"`);
  return `insert into "${table.name}" (${names}) select ${values.join(', ')} from ${source} on conflict do nothing`;
}

function exampleValue(
  { name: table, unique }: TableShape,
  { name, type, isNullable }: TableShape['columns'][number],
  bytes: (text: string) => string,
  rows: number,
): string {
  const chance = drawn(table, name);
  const isRare = `${chance} % ${RARE} = 0`;
  const own = unique.find((columns) => columns.includes(name));
  // The organization may be the same in all rows if another column of the index differs.
  const isAlone = own !== undefined && (name !== 'organization_id' || own.length === 1);
  const value = ((): string => {
    if (name === 'organization_id' && !isAlone)
      return `case when ${isRare} then 'org_' || n else 'org_1' end`;
    const words = WORDS[`${table}.${name}`];
    if (words !== undefined) return `case when ${isRare} then '${words[1]}' else '${words[0]}' end`;
    if (type === 'bytes') return bytes(`'b' || n`);
    if (ENDS.test(name)) return `${LAST_MS - SPAN_MS} + ${chance} % ${(2 * SPAN_MS) / 1000} * 1000`;
    if (/(?:^|_)at_ms$/.test(name)) return `${LAST_MS - SPAN_MS} + n * ${Math.round(SPAN_MS / rows)}`;
    if (type === 'number') return isAlone || name === 'seq' || name === 'number' ? 'n' : `${chance} % 2`;
    const prefix = name === 'organization_id' ? 'org' : PREFIXES[name === 'id' ? table : name];
    if (prefix === undefined) return `'x' || n`;
    const fanout = isAlone || OWN.has(table) ? undefined : FANOUT[name];
    if (fanout === undefined) return `'${prefix}_' || n`;
    const named = `'${prefix}_' || (1 + ${chance} % ${fanout})`;
    return isNullable ? `case when ${drawn(table, `${name} is null`)} % 3 > 0 then ${named} end` : named;
  })();
  return isNullable && MOSTLY_NULL.test(name) ? `case when ${isRare} then ${value} end` : value;
}

const PRIME = 2_147_483_647;

/**
 * A number that looks random, for each row the same in every run. Each column draws its own: rare values that always
 * met in one row would make any filter cheap by the index of another.
 */
function drawn(table: string, column: string): string {
  const seed = createHash('sha256').update(`${table}.${column}`).digest();
  return `((n * ${seed.readUInt32BE(0) >>> 1} + ${seed.readUInt32BE(4) >>> 1}) % ${PRIME})`;
}
