import type { NoticeTables } from './schema-notices.ts';

export type { WebhookDeliveriesTable } from './schema-notices.ts';

/** Tables as Kysely sees them. Times are milliseconds since 1970, flags 0 or 1, lists and objects JSON text. */
export interface Database extends NoticeTables {
  meta: { name: string; value: string };
  /** Ids of the master keys that have sealed something that is still here. */
  master_keys: { id: string; first_used_at_ms: number };
  /** OwnSecrets by name. */
  own_secrets: { name: string; sealed: Buffer };
  users: {
    id: string;
    email: string;
    /** Lower case: what makes it unique. */
    email_key: string;
    email_verified_at_ms: number | null;
    name: string | null;
    password_hash: string | null;
    created_at_ms: number;
  };
  organizations: {
    id: string;
    kind: string;
    name: string;
    owner_id: string;
    created_at_ms: number;
    /** JSON list of addresses and ranges; null: any. */
    allowed_ips: string | null;
    requires_second_factor: number;
    is_operator: number;
  };
  members: {
    organization_id: string;
    user_id: string;
    role: string;
    joined_at_ms: number;
    chosen_at_ms: number | null;
  };
  sessions: {
    id: string;
    user_id: string;
    organization_id: string | null;
    token_hash: Buffer;
    /** The token before the last rotation, for as long as it may still be under way. */
    previous_hash: Buffer | null;
    previous_until_ms: number | null;
    csrf_token: string;
    address: string;
    user_agent: string;
    created_at_ms: number;
    rotated_at_ms: number;
    last_seen_at_ms: number;
    expires_at_ms: number;
  };
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
  invitations: {
    id: string;
    organization_id: string;
    email: string;
    email_key: string;
    role: string;
    token_hash: Buffer;
    invited_by: string;
    status: string;
    sent_at_ms: number;
    expires_at_ms: number;
    created_at_ms: number;
  };
  mails: {
    id: string;
    /** null: of a person's account, which no organization may read. */
    organization_id: string | null;
    kind: string;
    to_address: string;
    subject: string;
    /** null once it was sent. */
    sealed_text: Buffer | null;
    status: string;
    attempts: number;
    due_at_ms: number;
    last_error: string | null;
    sent_at_ms: number | null;
    created_at_ms: number;
  };
  directory_tokens: {
    id: string;
    organization_id: string;
    name: string;
    token_hash: Buffer;
    created_by: string;
    last_used_at_ms: number | null;
    created_at_ms: number;
  };
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
  subscriptions: {
    account_id: string;
    plan: string;
    status: string;
    per_minute: number | null;
    monthly: number | null;
    spend_cap_usd: number | null;
    on_demand: number;
    updated_at_ms: number;
  };
  projects: {
    id: string;
    organization_id: string;
    name: string;
    description: string | null;
    fail_mode: string;
    use_case: string;
    strictness_level: string;
    zero_retention: number;
    /** Sealed, in base64: such addresses hold tokens. */
    webhook_url: string | null;
    webhook_enabled: number;
    /** ExplicitSettings as JSON; null: none. */
    settings: string | null;
    /** PolicyWebhook as JSON; sealed, in base64. */
    policy_webhook: string | null;
    /** Events older than that are deleted; null: never. */
    retention_days: number | null;
    created_at_ms: number;
  };
  provider_credentials: { project_id: string; provider: string; sealed: Buffer; created_at_ms: number };
  keys: {
    id: string;
    organization_id: string;
    project_id: string | null;
    user_id: string | null;
    device_id: string | null;
    name: string;
    prefix: string;
    key_hash: Buffer;
    sealed: Buffer;
    permissions: string;
    is_active: number;
    last_used_at_ms: number | null;
    expires_at_ms: number | null;
    created_at_ms: number;
  };
  policies: {
    id: string;
    organization_id: string;
    project_id: string | null;
    name: string;
    description: string | null;
    action: string;
    threat_types: string;
    priority: number;
    is_active: number;
    from_preset: number;
    /** Mode, conditions, patterns, domains: JSON of `PolicyRules`. */
    rules: string | null;
    version: number;
    created_at_ms: number;
    updated_at_ms: number;
  };
  enrollments: {
    id: string;
    organization_id: string;
    project_id: string | null;
    created_by: string | null;
    label: string | null;
    is_bulk: number;
    platform: string | null;
    token_hash: Buffer;
    uses_left: number;
    uses_total: number;
    expires_at_ms: number | null;
    revoked_at_ms: number | null;
    created_at_ms: number;
  };
  devices: {
    id: string;
    organization_id: string;
    project_id: string | null;
    enrollment_id: string | null;
    name: string;
    platform: string;
    coverage: string;
    user_id: string | null;
    end_user_label: string | null;
    agent_version: string | null;
    proxy_restarts: number | null;
    supervisor_state: string | null;
    last_seen_at_ms: number | null;
    revoked_at_ms: number | null;
    created_at_ms: number;
  };
  exceptions: ApprovalColumns & {
    destination_host: string;
    /** As it is compared. */
    host_key: string;
    policy_id: string | null;
    threat: string | null;
    reason_category: string | null;
    requested_minutes: number;
    starts_at_ms: number | null;
    expires_at_ms: number | null;
  };
  tool_requests: ApprovalColumns & { requested_host: string; requested_name: string | null };
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
    /** Names with commas between; empty: none. */
    anomalies: string;
    at_ms: number;
  };
  session_taints: {
    organization_id: string;
    session_id: string;
    source: string;
    is_threat: number;
    at_ms: number;
  };
  tool_reviews: {
    id: string;
    organization_id: string;
    project_id: string | null;
    requested_by: string;
    requester_user_id: string | null;
    agent_id: string;
    session_id: string | null;
    tool_name: string;
    call_hash: string;
    reason: string;
    status: string;
    decided_by: string | null;
    decision_reason: string | null;
    decided_at_ms: number | null;
    created_at_ms: number;
    expires_at_ms: number;
  };
  /** `options`: ScrapeJobOptions as JSON. */
  scrape_jobs: {
    id: string;
    organization_id: string;
    project_id: string | null;
    key_id: string;
    options: string;
    created_at_ms: number;
  };
  scrape_pages: {
    job_id: string;
    number: number;
    url: string;
    status: string;
    attempts: number;
    lease_id: string | null;
    lease_ends_at_ms: number;
    sealed_result: Buffer | null;
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
  security_events: SecurityEventsTable;
  event_marks: {
    organization_id: string;
    event_id: string;
    project_id: string | null;
    note: string | null;
    marked_by: string;
    /** The event as it was when marked. */
    event: string;
    created_at_ms: number;
  };
  security_test_runs: {
    id: string;
    organization_id: string;
    target_preset: string;
    started_by: string;
    duration_ms: number;
    report: string;
    created_at_ms: number;
  };
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

/** What somebody asked for and somebody else decides. */
interface ApprovalColumns {
  id: string;
  organization_id: string;
  project_id: string | null;
  device_id: string | null;
  requested_by: string;
  requester_user_id: string | null;
  justification: string | null;
  status: string;
  decided_by: string | null;
  decision_reason: string | null;
  decided_at_ms: number | null;
  created_at_ms: number;
  changed_at_ms: number;
}

export interface SecurityEventsTable {
  id: string;
  organization_id: string;
  project_id: string | null;
  key_id: string | null;
  device_id: string | null;
  request_id: string | null;
  direction: string;
  route: string;
  model: string | null;
  decision: string;
  threat_type: string | null;
  confidence: number;
  findings: string | null;
  unscanned: string | null;
  failed: string | null;
  latency_us: number;
  at_ms: number;
  judged_by: string | null;
}
