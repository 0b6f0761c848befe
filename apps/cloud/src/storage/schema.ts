import type { Decision, Direction, ThreatType } from '@csg/shared/contract';
import type {
  memberTable,
  organizationTable,
  projectRoleTable,
  projectTable,
  subscriptionTable,
  userTable,
} from './model/accounts.ts';
import type { SessionTaint } from './model/agents.ts';
import type { allowedTextTable } from './model/allowed-texts.ts';
import type { auditVerificationTable } from './model/audit-verifications.ts';
import type { ConversationNoteRow } from './model/conversation-notes.ts';
import type { deliveryTable } from './model/deliveries.ts';
import type { directoryTokenTable } from './model/directory.ts';
import type { directoryGroupTable, roleMappingTable } from './model/directory-groups.ts';
import type { emailTable } from './model/emails.ts';
import type { endpointTable } from './model/endpoints.ts';
import type { eventAlertTable } from './model/event-alerts.ts';
import type { deviceTable, enrollmentTable } from './model/fleet.ts';
import type { securityTestRunTable } from './model/insight.ts';
import type { invitationTable } from './model/invitations.ts';
import type { keyTable } from './model/keys.ts';
import type { mcpToolTable } from './model/mcp-servers.ts';
import type { notificationTable } from './model/notifications.ts';
import type { organizationTokenTable } from './model/organization-tokens.ts';
import type { policyTable, policyVersionTable } from './model/policies.ts';
import type { requestTable } from './model/requests.ts';
import type { savedFilterTable } from './model/saved-filters.ts';
import type { scrapeJobTable } from './model/scrape-jobs.ts';
import type { sessionTable } from './model/sessions.ts';
import type { ssoIdentityTable, ssoProviderTable } from './model/single-sign-on.ts';
import type { UsageAlert } from './model/usage-alerts.ts';
import type { RowOf } from './table.ts';

export interface UsageDetailRow {
  organization_id: string;
  day: string;
  project_id: string;
  key_id: string;
  device_id: string;
  model: string;
  requests: number;
  blocked: number;
  redacted: number;
  rejected: number;
  calls: number;
  call_errors: number;
  unmetered: number;
  input_tokens: number;
  output_tokens: number;
  scans: number;
  scan_us: number;
  call_ms: number;
}

/** The usage of requests with a label: `session=…` or `tag=name=value`. */
export interface LabelUsageRow extends UsageDetailRow {
  label: string;
}

/** Tables as Kysely sees them. Times are milliseconds since 1970, flags 0 or 1, lists and objects JSON text. */
export interface Database {
  meta: { name: string; value: string };
  /** Ids of the master keys with which current values may be sealed. */
  master_keys: { id: string; first_used_at_ms: number };
  /** OwnSecrets by name. */
  own_secrets: { name: string; sealed: Buffer };
  users: RowOf<typeof userTable>;
  organizations: RowOf<typeof organizationTable>;
  members: RowOf<typeof memberTable>;
  project_roles: RowOf<typeof projectRoleTable>;
  sessions: RowOf<typeof sessionTable>;
  known_browsers: { token_hash: Buffer; user_id: string; expires_at_ms: number };
  account_links: {
    token_hash: Buffer;
    purpose: string;
    user_id: string;
    email: string | null;
    expires_at_ms: number;
    created_at_ms: number;
  };
  second_factors: {
    user_id: string;
    sealed: Buffer;
    confirmed_at_ms: number | null;
    last_step: number;
    created_at_ms: number;
  };
  recovery_codes: { user_id: string; code_hash: Buffer };
  invitations: RowOf<typeof invitationTable>;
  mails: RowOf<typeof emailTable>;
  directory_tokens: RowOf<typeof directoryTokenTable>;
  directory_users: {
    organization_id: string;
    user_id: string;
    external_id: string | null;
    given_name: string | null;
    family_name: string | null;
    made_account: number;
    created_at_ms: number;
    updated_at_ms: number;
  };
  directory_groups: RowOf<typeof directoryGroupTable>;
  directory_group_members: { group_id: string; organization_id: string; user_id: string };
  role_mappings: RowOf<typeof roleMappingTable>;
  sso_providers: RowOf<typeof ssoProviderTable>;
  sso_identities: RowOf<typeof ssoIdentityTable>;
  sso_sign_ins: {
    state_hash: Buffer;
    browser_hash: Buffer;
    organization_id: string;
    link_session_id: string | null;
    expires_at_ms: number;
  };
  notification_marks: { organization_id: string; key: string; at_ms: number };
  notifications: RowOf<typeof notificationTable>;
  subscriptions: RowOf<typeof subscriptionTable>;
  projects: RowOf<typeof projectTable>;
  /** `models`: a list of names as JSON. */
  provider_credentials: {
    project_id: string;
    provider: string;
    name: string;
    models: string;
    sealed: Buffer;
    created_at_ms: number;
  };
  /** `sealed`: address and headers as JSON. */
  mcp_servers: { project_id: string; name: string; sealed: Buffer; created_at_ms: number };
  mcp_tools: RowOf<typeof mcpToolTable>;
  keys: RowOf<typeof keyTable>;
  /** For keys with a limit: tokens of the last day of use (YYYY-MM-DD in UTC). */
  key_tokens: { key_id: string; organization_id: string; day: string; tokens: number };
  policies: RowOf<typeof policyTable>;
  policy_versions: RowOf<typeof policyVersionTable>;
  /** Usage of a day; an empty id means none. */
  usage_details: UsageDetailRow;
  usage_labels: LabelUsageRow;
  /** `prices`: list of ModelPrice as JSON. */
  model_prices: { organization_id: string; prices: string; updated_at_ms: number };
  enrollments: RowOf<typeof enrollmentTable>;
  devices: RowOf<typeof deviceTable>;
  requests: RowOf<typeof requestTable>;
  /** `lists`: a ToolLists as JSON. */
  tool_lists: { project_id: string; organization_id: string; lists: string; updated_at_ms: number };
  agent_calls: {
    id: string;
    organization_id: string;
    project_id: string | null;
    agent_id: string;
    session_id: string | null;
    tool_name: string;
    is_allowed: number;
    risk_score: number;
    /** Comma-separated names; empty: none. */
    anomalies: string;
    at_ms: number;
  };
  session_taints: {
    organization_id: string;
    session_id: string;
    source: SessionTaint['source'];
    is_threat: number;
    at_ms: number;
  };
  scrape_jobs: RowOf<typeof scrapeJobTable>;
  scrape_pages: {
    job_id: string;
    number: number;
    url: string;
    status: string;
    attempts: number;
    lease_id: string | null;
    lease_ends_at_ms: number;
    sealed_result: Buffer | null;
    lane: string;
    /** 1: the earlier pages of its lane in this batch are done. */
    is_next: number;
  };
  code_repositories: {
    full_name: string;
    organization_id: string;
    project_id: string;
    created_at_ms: number;
  };
  code_deliveries: { id: string; is_done: number; at_ms: number };
  fleet_settings: { organization_id: string; settings: string; updated_at_ms: number };
  /** `period` is YYYY-MM or YYYY-MM-DD, UTC. */
  usage_counters: { account_id: string; period: string; requests: number; device_requests: number };
  organization_tokens: RowOf<typeof organizationTokenTable>;
  saved_filters: RowOf<typeof savedFilterTable>;
  event_alerts: RowOf<typeof eventAlertTable>;
  audit_verifications: RowOf<typeof auditVerificationTable>;
  security_events: SecurityEventsTable;
  allowed_texts: RowOf<typeof allowedTextTable>;
  conversation_notes: ConversationNoteRow;
  security_test_runs: RowOf<typeof securityTestRunTable>;
  endpoints: RowOf<typeof endpointTable>;
  webhook_deliveries: RowOf<typeof deliveryTable>;
  webhook_attempts: {
    delivery_id: string;
    number: number;
    at_ms: number;
    response_status: number | null;
    error: string | null;
    duration_ms: number;
    response_excerpt: string | null;
  };
  /** Alerts sent about an account's month, so that each is sent once. `alert`: 80, 90, 100, overage. */
  usage_alerts: { account_id: string; month: string; alert: UsageAlert; at_ms: number };
  audit_heads: { organization_id: string; seq: number; hash: Buffer; seal: Buffer };
  audit_rows: {
    organization_id: string;
    seq: number;
    at_ms: number;
    kind: string;
    actor: string;
    subject: string;
    data: string;
    prev_hash: Buffer;
    hash: Buffer;
  };
  /** Where the client of a row was. Not in the chain, because it is erased with the person. */
  audit_addresses: {
    organization_id: string;
    seq: number;
    at_ms: number;
    actor: string;
    address: string;
  };
  audit_checkpoints: {
    organization_id: string;
    number: number;
    seq: number;
    hash: string;
    at_ms: number;
    file_id: string;
    key_id: string;
    signature: string;
  };
  audit_timestamps: {
    organization_id: string;
    number: number;
    at_ms: number;
    token: string;
  };
  idempotency_records: {
    key_id: string;
    idempotency_key: string;
    fingerprint: string;
    state: string;
    lease_id: string;
    lease_ends_at_ms: number;
    status: number | null;
    headers: string | null;
    body: Buffer | null;
    created_at_ms: number;
  };
  /** `hour`: hours since 1970. */
  idempotency_usage: { organization_id: string; hour: number; bytes: number };
}

export interface SecurityEventsTable {
  id: string;
  organization_id: string;
  project_id: string | null;
  key_id: string | null;
  device_id: string | null;
  request_id: string | null;
  direction: Direction;
  route: string;
  model: string | null;
  decision: Decision;
  threat_type: ThreatType | null;
  confidence: number;
  findings: string | null;
  unscanned: string | null;
  failed: string | null;
  latency_us: number;
  at_ms: number;
  judged_by: 'device' | null;
  /** Kind and id, such as `policy:pol_…`. */
  decided_by: string | null;
  session: string | null;
  /** A list of `name=value` as JSON. */
  tags: string | null;
}
