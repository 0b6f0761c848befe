-- accounts
create table "users" ("id" text primary key, "email" text not null, "email_key" text not null unique, "email_verified_at_ms" bigint, "name" text, "password_hash" text, "created_at_ms" bigint not null);
create table "organizations" ("id" text primary key, "kind" text not null, "name" text not null, "owner_id" text not null references "users" ("id"), "created_at_ms" bigint not null);
create index "organizations_owner" on "organizations" ("owner_id");
create unique index "organizations_one_personal" on "organizations" ("owner_id") where kind = 'personal';
create table "members" ("organization_id" text not null references "organizations" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "role" text not null, "joined_at_ms" bigint not null, constraint "members_pk" primary key ("organization_id", "user_id"));
create index "members_user" on "members" ("user_id");
create table "subscriptions" ("account_id" text primary key references "users" ("id") on delete cascade, "plan" text not null, "status" text not null, "per_minute" bigint, "monthly" bigint, "spend_cap_usd" double precision, "on_demand" integer not null, "updated_at_ms" bigint not null);
-- projects-and-keys
create table "projects" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "name" text not null, "description" text, "fail_mode" text not null, "use_case" text not null, "strictness_level" text not null, "zero_retention" integer not null, "webhook_url" text, "webhook_enabled" integer not null, "created_at_ms" bigint not null);
create index "projects_organization" on "projects" ("organization_id");
create table "provider_credentials" ("project_id" text not null references "projects" ("id") on delete cascade, "provider" text not null, "sealed" bytea not null, "created_at_ms" bigint not null, constraint "provider_credentials_pk" primary key ("project_id", "provider"));
create table "keys" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text references "projects" ("id") on delete cascade, "user_id" text, "device_id" text, "name" text not null, "prefix" text not null, "key_hash" bytea not null unique, "sealed" bytea not null, "permissions" text not null, "is_active" integer not null, "last_used_at_ms" bigint, "expires_at_ms" bigint, "created_at_ms" bigint not null);
create index "keys_organization" on "keys" ("organization_id", "project_id");
create index "keys_device" on "keys" ("device_id") where device_id is not null;
-- policies-and-devices
create table "policies" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text references "projects" ("id") on delete cascade, "name" text not null, "description" text, "action" text not null, "threat_types" text not null, "priority" integer not null, "is_active" integer not null, "from_preset" integer not null, "created_at_ms" bigint not null, "updated_at_ms" bigint not null);
create index "policies_organization" on "policies" ("organization_id", "project_id");
create table "enrollments" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text references "projects" ("id") on delete cascade, "created_by" text, "label" text, "is_bulk" integer not null, "platform" text, "token_hash" bytea not null unique, "uses_left" integer not null, "uses_total" integer not null, "expires_at_ms" bigint, "revoked_at_ms" bigint, "created_at_ms" bigint not null);
create index "enrollments_organization" on "enrollments" ("organization_id");
create table "devices" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text references "projects" ("id") on delete set null, "enrollment_id" text, "name" text not null, "platform" text not null, "coverage" text not null, "user_id" text, "end_user_label" text, "agent_version" text, "proxy_restarts" bigint, "supervisor_state" text, "last_seen_at_ms" bigint, "revoked_at_ms" bigint, "created_at_ms" bigint not null);
create index "devices_organization" on "devices" ("organization_id", "user_id");
-- record
create table "usage_counters" ("account_id" text not null, "period" text not null, "requests" bigint not null, "device_requests" bigint not null, constraint "usage_counters_pk" primary key ("account_id", "period"));
create table "security_events" ("id" text not null unique, "organization_id" text not null, "project_id" text, "key_id" text, "device_id" text, "request_id" text, "direction" text not null, "route" text not null, "model" text, "decision" text not null, "threat_type" text, "confidence" double precision not null, "findings" text, "unscanned" text, "failed" text, "latency_us" bigint not null, "at_ms" bigint not null);
create index "security_events_newest" on "security_events" ("organization_id", "at_ms");
create index "security_events_refused" on "security_events" ("organization_id", "at_ms") where decision <> 'allow';
create index "security_events_device" on "security_events" ("device_id", "at_ms") where device_id is not null;
create table "audit_heads" ("organization_id" text primary key, "seq" bigint not null, "hash" bytea not null, "seal" bytea not null);
create table "audit_rows" ("organization_id" text not null, "seq" bigint not null, "at_ms" bigint not null, "kind" text not null, "actor" text not null, "subject" text not null, "data" text not null, "prev_hash" bytea not null, "hash" bytea not null, constraint "audit_rows_pk" primary key ("organization_id", "seq"));
create table "audit_checkpoints" ("organization_id" text not null, "number" bigint not null, "seq" bigint not null, "hash" text not null, "at_ms" bigint not null, "file_id" text not null, "key_id" text not null, "signature" text not null, constraint "audit_checkpoints_pk" primary key ("organization_id", "number"));
-- idempotency
create table "idempotency_records" ("key_id" text not null, "idempotency_key" text not null, "fingerprint" text not null, "state" text not null, "lease_id" text not null, "lease_ends_at_ms" bigint not null, "status" integer, "headers" text, "body" bytea, "created_at_ms" bigint not null, constraint "idempotency_records_pk" primary key ("key_id", "idempotency_key"));
create index "idempotency_records_age" on "idempotency_records" ("created_at_ms");
-- approvals
create table "exceptions" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text, "device_id" text, "requested_by" text not null, "requester_user_id" text, "destination_host" text not null, "host_key" text not null, "policy_id" text, "threat" text, "reason_category" text, "justification" text, "requested_minutes" integer not null, "status" text not null, "decided_by" text, "decision_reason" text, "decided_at_ms" bigint, "starts_at_ms" bigint, "expires_at_ms" bigint, "created_at_ms" bigint not null, "changed_at_ms" bigint not null);
create table "tool_requests" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text, "device_id" text, "requested_by" text not null, "requester_user_id" text, "requested_host" text not null, "requested_name" text, "justification" text, "status" text not null, "decided_by" text, "decision_reason" text, "decided_at_ms" bigint, "created_at_ms" bigint not null, "changed_at_ms" bigint not null);
create index "exceptions_newest" on "exceptions" ("organization_id", "created_at_ms", "id");
create index "exceptions_changed" on "exceptions" ("organization_id", "changed_at_ms");
create index "exceptions_open" on "exceptions" ("organization_id", "status") where status in ('pending', 'approved');
create index "tool_requests_newest" on "tool_requests" ("organization_id", "created_at_ms", "id");
create index "tool_requests_changed" on "tool_requests" ("organization_id", "changed_at_ms");
create index "tool_requests_open" on "tool_requests" ("organization_id", "status") where status in ('pending', 'approved');
create index "exceptions_running" on "exceptions" ("expires_at_ms") where status = 'approved';
create index "devices_revoked" on "devices" ("organization_id", "revoked_at_ms") where revoked_at_ms is not null;
create table "fleet_settings" ("organization_id" text primary key references "organizations" ("id") on delete cascade, "settings" text not null, "updated_at_ms" bigint not null);
-- people
alter table "organizations" add column "allowed_ips" text;
create table "sessions" ("id" text primary key, "user_id" text not null references "users" ("id") on delete cascade, "organization_id" text references "organizations" ("id") on delete set null, "token_hash" bytea not null unique, "previous_hash" bytea unique, "previous_until_ms" bigint, "csrf_token" text not null, "address" text not null, "user_agent" text not null, "created_at_ms" bigint not null, "rotated_at_ms" bigint not null, "last_seen_at_ms" bigint not null, "expires_at_ms" bigint not null);
create index "sessions_user" on "sessions" ("user_id");
create index "sessions_expiry" on "sessions" ("expires_at_ms");
create table "known_browsers" ("token_hash" bytea primary key, "user_id" text not null references "users" ("id") on delete cascade, "expires_at_ms" bigint not null);
create index "known_browsers_expiry" on "known_browsers" ("expires_at_ms");
create index "known_browsers_user" on "known_browsers" ("user_id");
create table "account_links" ("token_hash" bytea primary key, "purpose" text not null, "user_id" text not null references "users" ("id") on delete cascade, "email" text, "expires_at_ms" bigint not null, "created_at_ms" bigint not null);
create index "account_links_user" on "account_links" ("user_id", "purpose");
create index "account_links_expiry" on "account_links" ("expires_at_ms");
create table "second_factors" ("user_id" text primary key references "users" ("id") on delete cascade, "sealed" bytea not null, "confirmed_at_ms" bigint, "last_step" bigint not null, "created_at_ms" bigint not null);
create table "recovery_codes" ("user_id" text not null references "users" ("id") on delete cascade, "code_hash" bytea not null, constraint "recovery_codes_pk" primary key ("user_id", "code_hash"));
create table "invitations" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "email" text not null, "email_key" text not null, "role" text not null, "token_hash" bytea not null unique, "invited_by" text not null, "status" text not null, "sent_at_ms" bigint not null, "expires_at_ms" bigint not null, "created_at_ms" bigint not null);
create index "invitations_organization" on "invitations" ("organization_id", "created_at_ms");
create unique index "invitations_one_open" on "invitations" ("organization_id", "email_key") where status = 'open';
create table "mails" ("id" text primary key, "organization_id" text references "organizations" ("id") on delete cascade, "kind" text not null, "to_address" text not null, "subject" text not null, "sealed_text" bytea, "status" text not null, "attempts" integer not null, "due_at_ms" bigint not null, "last_error" text, "sent_at_ms" bigint, "created_at_ms" bigint not null);
create index "mails_newest" on "mails" ("organization_id", "created_at_ms", "id");
create index "mails_due" on "mails" ("due_at_ms") where status = 'waiting';
create index "mails_age" on "mails" ("created_at_ms");
create table "directory_tokens" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "name" text not null, "token_hash" bytea not null unique, "created_by" text not null, "last_used_at_ms" bigint, "created_at_ms" bigint not null);
create index "directory_tokens_organization" on "directory_tokens" ("organization_id");
create table "directory_users" ("organization_id" text not null references "organizations" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "external_id" text, "given_name" text, "family_name" text, "created_at_ms" bigint not null, "updated_at_ms" bigint not null, constraint "directory_users_pk" primary key ("organization_id", "user_id"));
-- notices
create table "webhook_deliveries" ("id" text primary key, "organization_id" text not null, "project_id" text, "event" text not null, "event_id" text, "payload" text not null, "is_test" integer not null, "status" text not null, "attempts" integer not null, "failures" integer not null, "response_status" integer, "last_error" text, "due_at_ms" bigint not null, "lease_id" text, "lease_ends_at_ms" bigint not null, "last_attempt_at_ms" bigint, "created_at_ms" bigint not null);
create index "webhook_deliveries_due" on "webhook_deliveries" ("due_at_ms", "project_id") where status = 'pending';
create index "webhook_deliveries_newest" on "webhook_deliveries" ("organization_id", "created_at_ms", "id");
create index "webhook_deliveries_age" on "webhook_deliveries" ("created_at_ms");
create table "webhook_secrets" ("project_id" text primary key references "projects" ("id") on delete cascade, "sealed" bytea not null, "previous_sealed" bytea, "previous_until_ms" bigint, "created_at_ms" bigint not null);
create table "audit_targets" ("organization_id" text primary key references "organizations" ("id") on delete cascade, "url" text not null, "updated_at_ms" bigint not null);
create table "usage_alerts" ("account_id" text not null, "month" text not null, "alert" text not null, "at_ms" bigint not null, constraint "usage_alerts_pk" primary key ("account_id", "month", "alert"));
create index "usage_counters_period" on "usage_counters" ("period");
alter table "policies" add column "rules" text;
alter table "policies" add column "version" integer default 1 not null;
alter table "projects" add column "retention_days" integer default 90;
-- agents
create table "tool_lists" ("project_id" text primary key references "projects" ("id") on delete cascade, "organization_id" text not null references "organizations" ("id") on delete cascade, "lists" text not null, "updated_at_ms" bigint not null);
create table "agent_calls" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text, "agent_id" text not null, "session_id" text, "tool_name" text not null, "is_allowed" integer not null, "risk_score" double precision not null, "anomalies" text not null, "at_ms" bigint not null);
create index "agent_calls_of_agent" on "agent_calls" ("organization_id", "agent_id", "at_ms");
create index "agent_calls_age" on "agent_calls" ("at_ms");
create table "session_taints" ("organization_id" text not null references "organizations" ("id") on delete cascade, "session_id" text not null, "source" text not null, "is_threat" integer not null, "at_ms" bigint not null, constraint "session_taints_pk" primary key ("organization_id", "session_id", "source"));
create index "session_taints_age" on "session_taints" ("at_ms");
create table "tool_reviews" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text, "requested_by" text not null, "requester_user_id" text, "agent_id" text not null, "session_id" text, "tool_name" text not null, "call_hash" text not null, "reason" text not null, "status" text not null, "decided_by" text, "decision_reason" text, "decided_at_ms" bigint, "created_at_ms" bigint not null, "expires_at_ms" bigint not null);
create index "tool_reviews_newest" on "tool_reviews" ("organization_id", "created_at_ms", "id");
create index "tool_reviews_of_call" on "tool_reviews" ("organization_id", "call_hash", "status");
-- insight
create table "event_marks" ("organization_id" text not null references "organizations" ("id") on delete cascade, "event_id" text not null, "project_id" text, "note" text, "marked_by" text not null, "event" text not null, "created_at_ms" bigint not null, constraint "event_marks_pk" primary key ("organization_id", "event_id"));
create table "security_test_runs" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "target_preset" text not null, "started_by" text not null, "duration_ms" bigint not null, "report" text not null, "created_at_ms" bigint not null);
create index "security_test_runs_newest" on "security_test_runs" ("organization_id", "created_at_ms", "id");
create index "security_events_threat" on "security_events" ("organization_id", "threat_type", "at_ms") where threat_type is not null;
-- scrape-jobs
create table "scrape_jobs" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text, "key_id" text not null, "options" text not null, "created_at_ms" bigint not null);
create index "scrape_jobs_age" on "scrape_jobs" ("created_at_ms");
create table "scrape_pages" ("job_id" text not null references "scrape_jobs" ("id") on delete cascade, "number" integer not null, "url" text not null, "status" text not null, "attempts" integer not null, "lease_id" text, "lease_ends_at_ms" bigint not null, "sealed_result" bytea, constraint "scrape_pages_pk" primary key ("job_id", "number"));
create index "scrape_pages_open" on "scrape_pages" ("lease_ends_at_ms") where status = 'pending';
create table "code_repositories" ("full_name" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text not null references "projects" ("id") on delete cascade, "created_at_ms" bigint not null);
create table "code_deliveries" ("id" text primary key, "is_done" integer not null, "at_ms" bigint not null);
create index "code_deliveries_age" on "code_deliveries" ("at_ms");
-- policy-webhook
alter table "projects" add column "policy_webhook" text;
-- second-factor-rule
alter table "organizations" add column "requires_second_factor" integer default 0 not null;
-- found-events
create index "security_events_found" on "security_events" ("organization_id", "at_ms") where findings is not null;
create index "webhook_deliveries_failed" on "webhook_deliveries" ("organization_id", "created_at_ms", "id") where status = 'failed';
-- master-keys
create table "master_keys" ("id" text primary key, "first_used_at_ms" bigint not null);
create table "own_secrets" ("name" text primary key, "sealed" bytea not null);
-- project-settings
alter table "projects" add column "settings" text;
-- idempotency-usage
create table "idempotency_usage" ("organization_id" text not null, "hour" bigint not null, "bytes" bigint not null, constraint "idempotency_usage_pk" primary key ("organization_id", "hour"));
-- memberships-by-choice
alter table "members" add column "chosen_at_ms" bigint;
alter table "directory_users" add column "made_account" integer default 0 not null;
-- operator-organization
alter table "organizations" add column "is_operator" integer default 0 not null;
update organizations set is_operator = 1
      where id = (select id from organizations order by created_at_ms, id limit 1);
create unique index "organizations_one_operator" on "organizations" ("is_operator") where is_operator = 1;
-- judged-by
alter table "security_events" add column "judged_by" text;
-- audit-changes
create index "audit_rows_changes" on "audit_rows" ("organization_id", "seq") where kind <> 'policy_allow' and kind <> 'policy_block';
-- decided-by
alter table "security_events" add column "decided_by" text;
create index "security_events_decided_by" on "security_events" ("organization_id", "decided_by", "at_ms") where threat_type is not null;
-- saved-filters
create table "saved_filters" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "name" text not null, "query" text not null, "created_at_ms" bigint not null);
create index "saved_filters_of_user" on "saved_filters" ("organization_id", "user_id");
-- organization-tokens
create table "organization_tokens" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "created_by" text not null, "name" text not null, "scopes" text not null, "token_hash" bytea not null unique, "expires_at_ms" bigint, "last_used_at_ms" bigint, "created_at_ms" bigint not null);
create index "organization_tokens_organization" on "organization_tokens" ("organization_id");
-- tool-review-arguments
alter table "tool_reviews" add column "sealed_arguments" bytea;
-- named-credentials
alter table "provider_credentials" rename to "unnamed_credentials";
create table "provider_credentials" ("project_id" text not null references "projects" ("id") on delete cascade, "provider" text not null, "name" text not null, "models" text not null, "sealed" bytea not null, "created_at_ms" bigint not null, constraint "provider_credentials_by_name" primary key ("project_id", "provider", "name"));
insert into provider_credentials (project_id, provider, name, models, sealed, created_at_ms)
      select project_id, provider, 'default', '[]', sealed, created_at_ms from unnamed_credentials;
drop table "unnamed_credentials";
-- key-limits
alter table "keys" add column "allowed_models" text;
alter table "keys" add column "daily_token_limit" bigint;
create table "key_tokens" ("key_id" text primary key references "keys" ("id") on delete cascade, "organization_id" text not null, "day" text not null, "tokens" bigint not null);
-- allowed-texts
alter table "event_marks" add column "id" text;
alter table "event_marks" add column "allow_text" integer default 0 not null;
alter table "event_marks" add column "status" text default 'recorded' not null;
alter table "event_marks" add column "requester_user_id" text;
alter table "event_marks" add column "decided_by" text;
alter table "event_marks" add column "decision_reason" text;
alter table "event_marks" add column "decided_at_ms" bigint;
update event_marks set id = 'fbk_' || substr(event_id, 5);
create index "event_marks_id" on "event_marks" ("organization_id", "id");
create table "allowed_texts" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text references "projects" ("id") on delete cascade, "text_key" text not null, "threat_types" text not null, "event_id" text not null, "approved_by" text not null, "created_at_ms" bigint not null);
create index "allowed_texts_of_key" on "allowed_texts" ("organization_id", "text_key");
-- single-sign-on
alter table "organizations" add column "sso_only" integer default 0 not null;
alter table "sessions" add column "sso_organization_id" text references "organizations" ("id") on delete cascade;
create table "sso_providers" ("organization_id" text primary key references "organizations" ("id") on delete cascade, "issuer" text not null, "client_id" text not null, "sealed_secret" bytea, "role_claim" text, "domains" text not null, "updated_at_ms" bigint not null);
create table "sso_identities" ("issuer" text not null, "subject" text not null, "user_id" text not null references "users" ("id") on delete cascade, "linked_at_ms" bigint not null, constraint "sso_identities_pk" primary key ("issuer", "subject"));
create index "sso_identities_user" on "sso_identities" ("user_id");
create table "sso_sign_ins" ("state_hash" bytea primary key, "browser_hash" bytea not null, "organization_id" text not null references "organizations" ("id") on delete cascade, "link_session_id" text, "expires_at_ms" bigint not null);
create index "sso_sign_ins_expiry" on "sso_sign_ins" ("expires_at_ms");
-- further-webhooks
create table "webhooks" ("id" text primary key, "organization_id" text not null, "project_id" text not null references "projects" ("id") on delete cascade, "url" text not null, "is_enabled" integer not null, "events" text, "sealed_secret" bytea, "created_at_ms" bigint not null);
create index "webhooks_project" on "webhooks" ("project_id");
alter table "projects" add column "webhook_events" text;
alter table "projects" add column "further_webhooks" text;
alter table "webhook_deliveries" add column "webhook_id" text;
drop index "webhook_deliveries_due";
create index "webhook_deliveries_due" on "webhook_deliveries" ("due_at_ms", "project_id", "webhook_id") where status = 'pending';
-- notifications
create table "notification_targets" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "kind" text not null, "address" text not null, "events" text, "digest" text, "quiet_hours" text, "sealed_secret" bytea, "last_error" text, "last_sent_at_ms" bigint, "created_at_ms" bigint not null);
create index "notification_targets_organization" on "notification_targets" ("organization_id");
create table "notification_marks" ("organization_id" text not null references "organizations" ("id") on delete cascade, "key" text not null, "at_ms" bigint not null, constraint "notification_marks_pk" primary key ("organization_id", "key"));
create table "notifications" ("id" text primary key, "target_id" text not null references "notification_targets" ("id") on delete cascade, "event" text not null, "text" text not null, "data" text not null, "attempts" integer not null, "due_at_ms" bigint not null, "created_at_ms" bigint not null);
create index "notifications_due" on "notifications" ("due_at_ms");
create index "notifications_target" on "notifications" ("target_id");
-- mcp-servers
create table "mcp_servers" ("project_id" text not null references "projects" ("id") on delete cascade, "name" text not null, "sealed" bytea not null, "created_at_ms" bigint not null, constraint "mcp_servers_pk" primary key ("project_id", "name"));
create table "mcp_tools" ("project_id" text not null references "projects" ("id") on delete cascade, "server" text not null, "name" text not null, "pinned" text, "proposed" text, "denied" text, "is_closed_world" integer not null, "changed_at_ms" bigint not null, constraint "mcp_tools_pk" primary key ("project_id", "server", "name"));
-- request-events
alter table "exceptions" add column "event_id" text;
alter table "tool_requests" add column "event_id" text;
alter table "tool_reviews" add column "event_id" text;
-- webhook-attempts
create table "webhook_attempts" ("delivery_id" text not null references "webhook_deliveries" ("id") on delete cascade, "number" integer not null, "at_ms" bigint not null, "response_status" integer, "error" text, "duration_ms" integer not null, constraint "webhook_attempts_pk" primary key ("delivery_id", "number"));
create table "webhook_pauses" ("endpoint_id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "paused_at_ms" bigint not null);
create index "webhook_pauses_organization" on "webhook_pauses" ("organization_id");
alter table "webhooks" add column "previous_sealed_secret" bytea;
alter table "webhooks" add column "previous_until_ms" bigint;
-- policy-versions
create table "policy_versions" ("policy_id" text not null references "policies" ("id") on delete cascade, "version" integer not null, "organization_id" text not null, "changed_by" text, "policy" text not null, "at_ms" bigint not null, constraint "policy_versions_pk" primary key ("policy_id", "version"));
-- usage-details
create table "usage_details" ("organization_id" text not null, "day" text not null, "project_id" text not null, "key_id" text not null, "device_id" text not null, "model" text not null, "requests" bigint not null, "blocked" bigint not null, "redacted" bigint not null, "rejected" bigint not null, "calls" bigint not null, "call_errors" bigint not null, "unmetered" bigint not null, "input_tokens" bigint not null, "output_tokens" bigint not null, "scans" bigint not null, "scan_us" bigint not null, "call_ms" bigint not null, constraint "usage_details_pk" primary key ("organization_id", "day", "project_id", "key_id", "device_id", "model"));
create table "model_prices" ("organization_id" text primary key references "organizations" ("id") on delete cascade, "prices" text not null, "updated_at_ms" bigint not null);
-- pending-requests
create index "exceptions_pending" on "exceptions" ("created_at_ms") where status = 'pending';
create index "tool_requests_pending" on "tool_requests" ("created_at_ms") where status = 'pending';
-- conversation-notes
create table "conversation_notes" ("organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text references "projects" ("id") on delete cascade, "note_key" text not null, "value" text not null, "at_ms" bigint not null, constraint "conversation_notes_pk" primary key ("organization_id", "note_key"));
create index "conversation_notes_of_project" on "conversation_notes" ("organization_id", "project_id", "note_key");
create index "conversation_notes_age" on "conversation_notes" ("at_ms");
-- audit-timestamps
create table "audit_timestamps" ("organization_id" text not null, "number" bigint not null, "at_ms" bigint not null, "token" text not null, constraint "audit_timestamps_pk" primary key ("organization_id", "number"));
-- costs-of-backlogs
create index "webhook_deliveries_endpoint" on "webhook_deliveries" (coalesce(webhook_id, project_id, organization_id), due_at_ms) where status = 'pending';
create index "security_events_project" on "security_events" (organization_id, coalesce(project_id, ''), at_ms);
-- device-routes
alter table "devices" add column "system_proxy" text;
-- member-sign-ins
alter table "members" add column "last_sign_in_at_ms" bigint;
alter table "members" add column "last_seen_at_ms" bigint;
update "members" set "last_sign_in_at_ms" = (select max("created_at_ms") as "at_ms" from "sessions" where "sessions"."user_id" = "members"."user_id" and "sessions"."organization_id" = "members"."organization_id");
update "members" set "last_seen_at_ms" = (select max("last_seen_at_ms") as "at_ms" from "sessions" where "sessions"."user_id" = "members"."user_id" and "sessions"."organization_id" = "members"."organization_id");
-- webhook-responses
alter table "webhook_attempts" add column "response_excerpt" text;
-- project-roles
create table "project_roles" ("organization_id" text not null, "project_id" text not null references "projects" ("id") on delete cascade, "user_id" text not null, "role" text not null, "given_by" text not null, "given_at_ms" bigint not null, constraint "project_roles_pk" primary key ("project_id", "user_id"), constraint "project_roles_member" foreign key ("organization_id", "user_id") references "members" ("organization_id", "user_id") on delete cascade);
create index "project_roles_of_member" on "project_roles" ("organization_id", "user_id");
-- device-administrators
alter table "devices" add column "needs_administrator" text;
-- events-by-confidence
create index "security_events_confidence" on "security_events" ("organization_id", "confidence", "at_ms") where threat_type is not null;
-- audit-verifications
create table "audit_verifications" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "started_by" text not null, "started_at_ms" bigint not null, "seen_at_ms" bigint not null, "ended_at_ms" bigint, "rows_read" bigint not null, "rows_total" bigint, "outcome" text, "first_invalid" bigint);
create index "audit_verifications_newest" on "audit_verifications" ("organization_id", "started_at_ms", "id");
-- scrape-lanes
alter table "scrape_pages" add column "lane" text default '' not null;
create index "scrape_pages_lanes" on "scrape_pages" ("lane", "lease_ends_at_ms") where status = 'pending';
-- costs-of-lists
create index "event_marks_newest" on "event_marks" ("organization_id", "created_at_ms", "event_id");
create index "webhook_deliveries_pending" on "webhook_deliveries" ("organization_id", "created_at_ms", "id") where status = 'pending';
create index "tool_reviews_pending" on "tool_reviews" ("organization_id", "created_at_ms", "id") where status = 'pending';
-- email-trust
alter table "sso_providers" add column "email_trust" text default 'verified' not null;
-- next-pages
alter table "scrape_pages" add column "is_next" integer default 0 not null;
create index "scrape_pages_waiting" on "scrape_pages" ("job_id", "lane", "number") where status = 'pending';
create index "scrape_pages_next" on "scrape_pages" ("number", "job_id") where status = 'pending' and is_next = 1;

      update scrape_pages set is_next = 1 where status = 'pending' and number = (
        select min(number) from scrape_pages as first
        where first.job_id = scrape_pages.job_id and first.lane = scrape_pages.lane and first.status = 'pending'
      )
    ;
-- requests
create table "requests" ("id" text primary key, "kind" text not null, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text, "device_id" text, "requested_by" text not null, "requester_user_id" text, "subject_key" text, "event_id" text, "justification" text, "details" text not null, "sealed_detail" bytea, "status" text not null, "decided_by" text, "decision_reason" text, "decided_at_ms" bigint, "starts_at_ms" bigint, "ends_at_ms" bigint, "created_at_ms" bigint not null, "changed_at_ms" bigint not null);
create index "requests_newest" on "requests" ("organization_id", "created_at_ms", "id");
create index "requests_of_kind" on "requests" ("organization_id", "kind", "created_at_ms", "id");
create index "requests_open" on "requests" ("organization_id", "status", "kind", "created_at_ms", "id") where status in ('pending', 'approved');
create index "requests_ending" on "requests" ("ends_at_ms") where status in ('pending', 'approved');
create index "requests_changed" on "requests" ("organization_id", "changed_at_ms");
create index "requests_of_subject" on "requests" ("organization_id", "kind", "subject_key", "status");
create unique index "requests_of_event" on "requests" ("organization_id", "event_id") where kind = 'false_positive';
create index "requests_review_age" on "requests" ("ends_at_ms") where kind = 'tool_review';
insert into requests (id, kind, organization_id, project_id, device_id, requested_by, requester_user_id, subject_key, event_id,
       justification, details, sealed_detail, status, decided_by, decision_reason, decided_at_ms, starts_at_ms,
       ends_at_ms, created_at_ms, changed_at_ms)
      select id, 'exception', organization_id, project_id, device_id, requested_by, requester_user_id, host_key,
        event_id, justification,
        cast(json_build_object('destinationHost', destination_host, 'policyId', policy_id, 'threat', threat,
          'reasonCategory', reason_category, 'requestedMinutes', requested_minutes) as text),
        null, status, decided_by, decision_reason, decided_at_ms, starts_at_ms,
        case status when 'pending' then created_at_ms + 604800000 else expires_at_ms end,
        created_at_ms, changed_at_ms
      from exceptions;
insert into requests (id, kind, organization_id, project_id, device_id, requested_by, requester_user_id, subject_key, event_id,
       justification, details, sealed_detail, status, decided_by, decision_reason, decided_at_ms, starts_at_ms,
       ends_at_ms, created_at_ms, changed_at_ms)
      select id, 'tool_request', organization_id, project_id, device_id, requested_by, requester_user_id, null,
        event_id, justification,
        cast(json_build_object('requestedHost', requested_host, 'requestedName', requested_name) as text),
        null, status, decided_by, decision_reason, decided_at_ms, null,
        case status when 'pending' then created_at_ms + 604800000 end, created_at_ms, changed_at_ms
      from tool_requests;
insert into requests (id, kind, organization_id, project_id, device_id, requested_by, requester_user_id, subject_key, event_id,
       justification, details, sealed_detail, status, decided_by, decision_reason, decided_at_ms, starts_at_ms,
       ends_at_ms, created_at_ms, changed_at_ms)
      select id, 'tool_review', organization_id, project_id,
        case when requested_by like 'dev\_%' escape '\' then requested_by end,
        requested_by, requester_user_id, call_hash, event_id, null,
        cast(json_build_object('agentId', agent_id, 'sessionId', session_id, 'toolName', tool_name, 'reason', reason)
          as text),
        sealed_arguments, status, decided_by, decision_reason, decided_at_ms,
        case when status in ('approved', 'used') then decided_at_ms end, expires_at_ms, created_at_ms,
        coalesce(decided_at_ms, created_at_ms)
      from tool_reviews;
insert into requests (id, kind, organization_id, project_id, device_id, requested_by, requester_user_id, subject_key, event_id,
       justification, details, sealed_detail, status, decided_by, decision_reason, decided_at_ms, starts_at_ms,
       ends_at_ms, created_at_ms, changed_at_ms)
      select id, 'false_positive', organization_id, project_id,
        case when marked_by like 'dev\_%' escape '\' then marked_by end,
        marked_by, coalesce(requester_user_id, case when marked_by like 'usr\_%' escape '\' then marked_by end),
        null, event_id, note,
        '{"allowText":' || case allow_text when 1 then 'true' else 'false' end || ',"event":' || event || '}',
        null, status, decided_by, decision_reason, decided_at_ms,
        case status when 'approved' then decided_at_ms end, null, created_at_ms,
        coalesce(decided_at_ms, created_at_ms)
      from event_marks;
drop table "exceptions";
drop table "tool_requests";
drop table "tool_reviews";
drop table "event_marks";
-- indexes-of-references
create index "code_repositories_by_organization_id" on "code_repositories" ("organization_id");
create index "code_repositories_by_project_id" on "code_repositories" ("project_id");
create index "conversation_notes_by_project_id" on "conversation_notes" ("project_id");
create index "devices_by_project_id" on "devices" ("project_id");
create index "directory_users_by_user_id" on "directory_users" ("user_id");
create index "enrollments_by_project_id" on "enrollments" ("project_id");
create index "keys_by_project_id" on "keys" ("project_id");
create index "policies_by_project_id" on "policies" ("project_id");
create index "saved_filters_by_user_id" on "saved_filters" ("user_id");
create index "scrape_jobs_by_organization_id" on "scrape_jobs" ("organization_id");
create index "sessions_by_organization_id" on "sessions" ("organization_id");
create index "sessions_by_sso_organization_id" on "sessions" ("sso_organization_id");
create index "sso_sign_ins_by_organization_id" on "sso_sign_ins" ("organization_id");
create index "tool_lists_by_organization_id" on "tool_lists" ("organization_id");
create index "allowed_texts_of_project" on "allowed_texts" ("project_id", "text_key");
create index "invitations_of_email" on "invitations" ("email_key", "created_at_ms", "id");
-- directory-groups
create table "directory_groups" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "display_name" text not null, "name_key" text not null, "external_id" text, "created_at_ms" bigint not null, "updated_at_ms" bigint not null, constraint "directory_groups_name" unique ("organization_id", "name_key"), constraint "directory_groups_external" unique ("organization_id", "external_id"));
create index "directory_groups_oldest" on "directory_groups" ("organization_id", "created_at_ms", "id");
create table "directory_group_members" ("group_id" text not null references "directory_groups" ("id") on delete cascade, "organization_id" text not null, "user_id" text not null, constraint "directory_group_members_pk" primary key ("group_id", "user_id"), constraint "directory_group_members_user" foreign key ("organization_id", "user_id") references "directory_users" ("organization_id", "user_id") on delete cascade);
create index "directory_group_members_of_user" on "directory_group_members" ("organization_id", "user_id");
create table "role_mappings" ("organization_id" text not null references "organizations" ("id") on delete cascade, "position" integer not null, "group_value" text not null, "by_name" integer not null, "role" text not null, "project_id" text references "projects" ("id") on delete cascade, constraint "role_mappings_pk" primary key ("organization_id", "position"));
create index "role_mappings_project" on "role_mappings" ("project_id");
alter table "members" add column "own_role" text;
alter table "members" add column "claim_role" text;
alter table "members" add column "group_role" text;
drop index "project_roles_of_member";
alter table "project_roles" rename to "former_project_roles";
create table "project_roles" ("organization_id" text not null, "project_id" text not null references "projects" ("id") on delete cascade, "user_id" text not null, "source" text default 'assigned' not null, "role" text not null, "given_by" text not null, "given_at_ms" bigint not null, constraint "project_roles_by_source_pk" primary key ("project_id", "user_id", "source"), constraint "project_roles_of_members" foreign key ("organization_id", "user_id") references "members" ("organization_id", "user_id") on delete cascade);
insert into "project_roles" ("organization_id", "project_id", "user_id", "role", "given_by", "given_at_ms") select "organization_id", "project_id", "user_id", "role", "given_by", "given_at_ms" from "former_project_roles";
drop table "former_project_roles";
create index "project_roles_of_member" on "project_roles" ("organization_id", "user_id");
-- audit-filters
drop index "audit_rows_changes";
create index "audit_rows_changes" on "audit_rows" ("organization_id", "at_ms", "seq") where kind <> 'policy_allow' and kind <> 'policy_block';
create index "audit_rows_changes_by_actor" on "audit_rows" ("organization_id", "actor", "at_ms", "seq") where kind <> 'policy_allow' and kind <> 'policy_block';
create index "audit_rows_changes_by_kind" on "audit_rows" ("organization_id", "kind", "at_ms", "seq") where kind <> 'policy_allow' and kind <> 'policy_block';
create table "audit_addresses" ("organization_id" text not null, "seq" bigint not null, "at_ms" bigint not null, "actor" text not null, "address" text not null, constraint "audit_addresses_pk" primary key ("organization_id", "seq"));
create index "audit_addresses_newest" on "audit_addresses" ("organization_id", "address", "at_ms", "seq");
create index "audit_addresses_by_actor" on "audit_addresses" ("actor");
drop index "requests_ending";
create index "requests_ending" on "requests" ("kind", "ends_at_ms") where status in ('pending', 'approved');
-- endpoints
create table "endpoints" ("id" text primary key, "kind" text not null, "organization_id" text not null references "organizations" ("id") on delete cascade, "project_id" text references "projects" ("id") on delete cascade, "address" text, "details" text not null, "is_enabled" integer not null, "events" text, "sealed_secret" bytea, "secret_at_ms" bigint, "previous_sealed_secret" bytea, "previous_until_ms" bigint, "paused_at_ms" bigint, "succeeded" bigint default 0 not null, "failed" bigint default 0 not null, "failures" bigint default 0 not null, "failing_since_ms" bigint, "last_error" text, "last_success_at_ms" bigint, "last_failure_at_ms" bigint, "created_at_ms" bigint not null);
create index "endpoints_organization" on "endpoints" ("organization_id", "created_at_ms", "id");
create index "endpoints_project" on "endpoints" ("project_id");
create index "endpoints_kind" on "endpoints" ("kind", "organization_id", "created_at_ms", "id");
create index "endpoints_paused" on "endpoints" ("id") where paused_at_ms is not null;
insert into endpoints (id, kind, organization_id, project_id, address, details, is_enabled, events, sealed_secret, secret_at_ms,
     previous_sealed_secret, previous_until_ms, paused_at_ms, created_at_ms)
    select 'whk_' || substr(p.id, 6), 'webhook', p.organization_id, p.id, p.webhook_url, '{}',
      p.webhook_enabled, p.webhook_events, s.sealed, s.created_at_ms, s.previous_sealed, s.previous_until_ms,
      z.paused_at_ms, p.created_at_ms
    from projects p left join webhook_secrets s on s.project_id = p.id
      left join webhook_pauses z on z.endpoint_id = p.id
    where p.webhook_url is not null or s.project_id is not null or p.webhook_events is not null;
insert into endpoints (id, kind, organization_id, project_id, address, details, is_enabled, events, sealed_secret, secret_at_ms,
     previous_sealed_secret, previous_until_ms, paused_at_ms, created_at_ms)
    select w.id, 'webhook', w.organization_id, w.project_id, w.url, '{}', w.is_enabled, w.events, w.sealed_secret,
      case when w.sealed_secret is null then null else w.created_at_ms end, w.previous_sealed_secret,
      w.previous_until_ms, z.paused_at_ms, w.created_at_ms
    from webhooks w left join webhook_pauses z on z.endpoint_id = w.id;
insert into endpoints (id, kind, organization_id, project_id, address, details, is_enabled, events, sealed_secret, secret_at_ms,
     previous_sealed_secret, previous_until_ms, paused_at_ms, created_at_ms)
    select 'pep_' || substr(id, 6), 'policy', organization_id, id, policy_webhook, '{}', 1, null, null,
      null, null, null, null, created_at_ms
    from projects where policy_webhook is not null;
insert into endpoints (id, kind, organization_id, project_id, address, details, is_enabled, events, sealed_secret, secret_at_ms,
     previous_sealed_secret, previous_until_ms, paused_at_ms, created_at_ms)
    select 'aud_' || substr(organization_id, 5), 'audit', organization_id, null, url, '{}', 1, null, null,
      null, null, null, null, updated_at_ms
    from audit_targets;
insert into endpoints (id, kind, organization_id, project_id, address, details, is_enabled, events, sealed_secret, secret_at_ms,
     previous_sealed_secret, previous_until_ms, paused_at_ms, created_at_ms, last_error, last_success_at_ms)
    select id, 'notification', organization_id, null, address,
      cast(json_build_object('form', kind, 'digest', digest, 'quietHours', quiet_hours::json) as text), 1, events, sealed_secret,
      case when sealed_secret is null then null else created_at_ms end, null, null, null, created_at_ms, last_error,
      last_sent_at_ms
    from notification_targets;
drop index "webhook_deliveries_due";
drop index "webhook_deliveries_endpoint";
alter table "webhook_deliveries" add column "endpoint_id" text default '' not null;
alter table "webhook_deliveries" add column "kind" text default 'webhook' not null;
update webhook_deliveries set
    endpoint_id = coalesce(webhook_id, 'whk_' || substr(project_id, 6),
      'aud_' || substr(organization_id, 5)),
    kind = case when project_id is null then 'audit' else 'webhook' end;
alter table "webhook_deliveries" drop column "webhook_id";
create index "webhook_deliveries_due" on "webhook_deliveries" ("due_at_ms") where status = 'pending';
create index "webhook_deliveries_endpoint" on "webhook_deliveries" ("endpoint_id", "due_at_ms") where status = 'pending';
create index "webhook_deliveries_of_endpoint" on "webhook_deliveries" ("endpoint_id", "created_at_ms", "id");
drop index "notifications_due";
drop index "notifications_target";
alter table "notifications" rename to "notifications_before";
create table "notifications" ("id" text primary key, "organization_id" text not null, "endpoint_id" text not null references "endpoints" ("id") on delete cascade, "event" text not null, "text" text not null, "data" text not null, "due_at_ms" bigint not null, "created_at_ms" bigint not null);
insert into notifications (id, organization_id, endpoint_id, event, text, data, due_at_ms,
      created_at_ms)
    select n.id, e.organization_id, e.id, n.event, n.text, n.data, n.due_at_ms, n.created_at_ms
    from notifications_before n join endpoints e on e.id = n.target_id;
drop table "notifications_before";
create index "notifications_due" on "notifications" ("due_at_ms");
create index "notifications_endpoint" on "notifications" ("endpoint_id");
drop table "webhooks";
drop table "webhook_secrets";
drop table "webhook_pauses";
drop table "audit_targets";
drop table "notification_targets";
alter table "projects" drop column "webhook_url";
alter table "projects" drop column "webhook_enabled";
alter table "projects" drop column "webhook_events";
alter table "projects" drop column "further_webhooks";
alter table "projects" drop column "policy_webhook";
-- audit-address-age
create index "audit_addresses_age" on "audit_addresses" ("at_ms");
-- approvals-by-scope
create index "requests_approved" on "requests" (organization_id, kind, coalesce(device_id, project_id, '')) where status = 'approved';
-- labels
alter table "security_events" add column "session" text;
alter table "security_events" add column "tags" text;
create index "security_events_session" on "security_events" ("organization_id", "session", "at_ms", "id") where session is not null;
create index "security_events_tagged" on "security_events" ("organization_id", "at_ms", "id") where tags is not null;
create table "usage_labels" ("organization_id" text not null, "day" text not null, "project_id" text not null, "label" text not null, "key_id" text not null, "device_id" text not null, "model" text not null, "requests" bigint not null, "blocked" bigint not null, "redacted" bigint not null, "rejected" bigint not null, "calls" bigint not null, "call_errors" bigint not null, "unmetered" bigint not null, "input_tokens" bigint not null, "output_tokens" bigint not null, "scans" bigint not null, "scan_us" bigint not null, "call_ms" bigint not null, constraint "usage_labels_pk" primary key ("organization_id", "project_id", "day", "label", "key_id", "device_id", "model"));
-- event-alerts
create table "event_alerts" ("id" text primary key, "organization_id" text not null references "organizations" ("id") on delete cascade, "endpoint_id" text not null references "endpoints" ("id") on delete cascade, "name" text not null, "filter" text not null, "threshold" integer not null, "window_minutes" integer not null, "created_at_ms" bigint not null, "notified_at_ms" bigint, "due_at_ms" bigint not null);
create index "event_alerts_of_organization" on "event_alerts" ("organization_id", "name", "id");
create index "event_alerts_of_endpoint" on "event_alerts" ("endpoint_id");
create index "event_alerts_due" on "event_alerts" ("due_at_ms");
