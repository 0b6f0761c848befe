import { DEFAULT_BLOCKED_TOOLS } from '@csg/shared/contract';

type Entry = readonly [kind: string, subject: string, data: object];
interface Change {
  /** Method and address; `:name` is the id of an existing object. */
  readonly route: string;
  readonly body?: object;
  /** The name of the new object in later addresses. */
  readonly as?: string;
  readonly records: readonly Entry[];
}

/** The time of all changes. */
export const NOW_MS = Date.now();
const TOMORROW_MS = NOW_MS + 86_400_000;
const ORG = ':organization_id';
const PROJECT = ':project_id';
const projectPath = (path: string) => `/projects/${PROJECT}${path}`;
const deny = { decision: 'deny' };
const approve = { decision: 'approve' };
const draft = { name: 'Row', action: 'monitor', threat_types: ['jailbreak'] };
const policy = {
  ...{ action: 'monitor', domains: 0, is_active: true, mode: 'enforce', patterns: 0, project_id: null },
  threat_types: ['jailbreak'],
};
const requested = { device_id: null, project_id: null };
const requestedException = {
  ...{ ...requested, destination_host: 'row.example.com', policy_id: null, threat: null },
  ...{ all_findings: false, requested_minutes: 60 },
};

/**
 * Changes that an admin can make, and the resulting rows of the audit log. In this order: each builds on the earlier
 * ones.
 */
export const CHANGES: readonly Change[] = [
  {
    route: 'PATCH /organization',
    body: { name: 'Renamed' },
    records: [['organization_changed', ORG, { renamed: true }]],
  },
  {
    route: 'PATCH /members/:user_id',
    body: { role: 'auditor' },
    records: [['member_role_changed', ':user_id', { role: 'auditor', was: 'viewer' }]],
  },
  {
    route: `PUT ${projectPath('/roles/:user_id')}`,
    body: { role: 'member' },
    records: [['project_role_changed', ':user_id', { project_id: PROJECT, role: 'member', was: null }]],
  },
  {
    route: `DELETE ${projectPath('/roles/:user_id')}`,
    records: [['project_role_changed', ':user_id', { project_id: PROJECT, role: null, was: 'member' }]],
  },
  {
    route: 'POST /invitations',
    body: { email: 'row@example.com', role: 'member' },
    as: 'invited',
    records: [['invitation_created', ':invited', { role: 'member' }]],
  },
  {
    route: 'DELETE /invitations/:invited',
    records: [['invitation_revoked', ':invited', { role: 'member' }]],
  },
  {
    route: 'POST /directory-tokens',
    body: { name: 'Row' },
    as: 'directory',
    records: [['directory_token_created', ':directory', {}]],
  },
  { route: 'DELETE /directory-tokens/:directory', records: [['directory_token_removed', ':directory', {}]] },
  {
    route: 'POST /organization-tokens',
    body: { name: 'Row', scopes: ['members'] },
    as: 'token',
    records: [['organization_token_created', ':token', { expires_at_ms: null, scopes: ['members'] }]],
  },
  { route: 'DELETE /organization-tokens/:token', records: [['organization_token_removed', ':token', {}]] },
  {
    route: 'PUT /events/:event_id/mark',
    body: { note: 'Test data' },
    records: [['event_marked_fine', ':event_id', { decision: 'block', threat_type: 'prompt_injection' }]],
  },
  { route: 'DELETE /events/:event_id/mark', records: [['event_mark_removed', ':event_id', {}]] },
  {
    route: 'POST /keys',
    body: { name: 'Row', permissions: ['scan'] },
    as: 'key',
    records: [['key_created', ':key', { permissions: ['scan'], project_id: null }]],
  },
  {
    route: 'PATCH /keys/:key',
    body: { daily_token_limit: 1_000 },
    records: [
      [
        'key_limits_changed',
        ':key',
        {
          ...{ allowed_models: '', daily_token_limit: 1000 },
          before: { allowed_models: '', daily_token_limit: 'none' },
        },
      ],
    ],
  },
  { route: 'PUT /keys/:key/toggle', records: [['key_disabled', ':key', {}]] },
  { route: 'PUT /keys/:key/toggle', records: [['key_enabled', ':key', {}]] },
  { route: 'POST /keys/:key/reveal', records: [['key_revealed', ':key', {}]] },
  {
    route: 'POST /keys/:key/rotate',
    body: {},
    as: 'rotated',
    records: [['key_rotated', ':key', { new_key_id: ':rotated', old_key_expires_at_ms: TOMORROW_MS }]],
  },
  { route: 'DELETE /keys/:key', records: [['key_deleted', ':key', {}]] },
  {
    route: 'POST /projects',
    body: { name: 'Row' },
    as: 'row',
    records: [
      [
        'project_created',
        ':row',
        { fail_mode: 'open', settings: {}, strictness_level: 'moderate', use_case: 'default' },
      ],
    ],
  },
  {
    route: 'PATCH /projects/:row',
    body: { strictness_level: 'strict' },
    records: [
      [
        'project_changed',
        ':row',
        {
          fail_mode: 'open',
          settings: {},
          strictness_level: 'strict',
          use_case: 'default',
          zero_retention: false,
          before: {
            ...{ fail_mode: 'open', settings: {}, strictness_level: 'moderate' },
            ...{ use_case: 'default', zero_retention: false },
          },
        },
      ],
    ],
  },
  {
    route: 'PUT /projects/:row/credentials/openai',
    body: { secret: 'sk-row-of-a-table' },
    records: [['provider_credential_set', ':row', { name: 'default', provider: 'openai' }]],
  },
  {
    route: 'DELETE /projects/:row/credentials/openai',
    records: [['provider_credential_removed', ':row', { name: 'default', provider: 'openai' }]],
  },
  {
    route: 'PUT /projects/:row/mcp-servers/notes',
    body: { url: 'https://93.184.216.34/mcp' },
    records: [['mcp.server_set', ':row', { header_names: [], server: 'notes' }]],
  },
  {
    route: 'DELETE /projects/:row/mcp-servers/notes',
    records: [['mcp.server_removed', ':row', { server: 'notes' }]],
  },
  {
    route: 'PUT /projects/:row/tools',
    body: { blocked_tools: ['rm'], allowed_tools: [], review_required_tools: [] },
    records: [
      [
        'tool_lists_changed',
        ':row',
        {
          ...{ allowed: 0, blocked: 1, review_required: 0 },
          before: { allowed: 0, blocked: DEFAULT_BLOCKED_TOOLS.length, review_required: 0 },
        },
      ],
    ],
  },
  {
    route: 'PATCH /projects/:row/retention',
    body: { retention_days: 30 },
    records: [
      [
        'retention_changed',
        ':row',
        {
          ...{ retention_days: 30, zero_retention: false },
          before: { retention_days: 90, zero_retention: false },
        },
      ],
    ],
  },
  {
    route: 'PATCH /projects/:row/webhook',
    body: { webhook_enabled: false },
    records: [['webhook_changed', ':row', { url_changed: false, webhook_enabled: false }]],
  },
  {
    route: 'DELETE /projects/:row',
    records: [
      ['project_deleted', ':row', { devices_revoked: [], enrollments_revoked: [], keys_revoked: [] }],
    ],
  },
  {
    route: 'PATCH /fleet-settings',
    body: { mode: 'enforce' },
    records: [['fleet_settings_changed', ORG, { mode: 'enforce', before: { mode: 'enforce' } }]],
  },
  {
    route: 'PATCH /devices/:device_id',
    body: { user_email: ':email' },
    records: [['device_assigned', ':device_id', { user_id: ':owner', was: null }]],
  },
  { route: 'POST /devices/:device_id/revoke', records: [['device_revoked', ':device_id', {}]] },
  {
    route: 'POST /devices/revoke',
    body: { device_ids: [':second'] },
    records: [['device_revoked', ':second', {}]],
  },
  {
    route: 'POST /enrollments',
    body: { project_id: PROJECT },
    as: 'enrollment',
    records: [['enrollment_created', ':enrollment', { expires_at_ms: TOMORROW_MS, platform: null, uses: 1 }]],
  },
  { route: 'POST /enrollments/:enrollment/revoke', records: [['enrollment_revoked', ':enrollment', {}]] },
  {
    route: 'POST /exceptions/:exception_id/decision',
    body: deny,
    records: [
      [
        'exception_denied',
        ':exception_id',
        {
          destination_host: 'a.example.com',
          device_id: null,
          policy_id: null,
          project_id: PROJECT,
          requested_minutes: 60,
          threat: null,
          all_findings: true,
        },
      ],
    ],
  },
  {
    route: 'POST /exceptions',
    body: { destination_host: 'row.example.com' },
    as: 'exception',
    records: [['exception_requested', ':exception', requestedException]],
  },
  {
    route: 'POST /exceptions/:exception/cancel',
    records: [['exception_cancelled', ':exception', { was: 'pending' }]],
  },
  {
    route: 'POST /tool-requests/:request_id/decision',
    body: deny,
    records: [
      [
        'tool_request_denied',
        ':request_id',
        { device_id: null, project_id: PROJECT, requested_host: 'b.example.com' },
      ],
    ],
  },
  {
    route: 'POST /exceptions',
    body: { destination_host: 'row.example.com' },
    as: 'exception_of_all',
    records: [['exception_requested', ':exception_of_all', requestedException]],
  },
  {
    route: 'POST /requests/:exception_of_all/cancel',
    records: [['exception_cancelled', ':exception_of_all', { was: 'pending' }]],
  },
  {
    route: 'POST /tool-requests',
    body: { requested_host: 'row.example.com' },
    as: 'request',
    records: [['tool_request_created', ':request', { ...requested, requested_host: 'row.example.com' }]],
  },
  {
    route: 'POST /tool-requests/:request/cancel',
    records: [['tool_request_cancelled', ':request', { was: 'pending' }]],
  },
  {
    route: 'POST /tool-reviews/:review_id/decision',
    body: approve,
    records: [['tool_review_approved', ':review_id', { project_id: PROJECT, tool_name: 'refund' }]],
  },
  {
    route: 'POST /feedback/:feedback_id/decision',
    body: deny,
    records: [['text_denied', ':reported', { feedback_id: ':feedback_id', project_id: PROJECT, texts: 0 }]],
  },
  {
    route: 'DELETE /allowed-texts/:text_id',
    records: [['allowed_text_removed', ':text_id', { event_id: ':reported', project_id: PROJECT }]],
  },
  {
    route: 'POST /policies',
    body: draft,
    as: 'policy',
    records: [['policy_created', ':policy', { ...policy, version: 1 }]],
  },
  {
    route: 'PATCH /policies/:policy',
    body: { name: 'Second' },
    records: [['policy_changed', ':policy', { ...policy, version: 2, before: { ...policy, version: 1 } }]],
  },
  {
    route: 'POST /policies/:policy/restore',
    body: { version: 1 },
    records: [['policy_changed', ':policy', { ...policy, version: 3, before: { ...policy, version: 2 } }]],
  },
  { route: 'DELETE /policies/:policy', records: [['policy_deleted', ':policy', { ...policy, version: 3 }]] },
  {
    route: 'PUT /usage/prices',
    body: { prices: [] },
    records: [['model_prices_changed', ORG, { prices: 0 }]],
  },
  {
    route: 'POST /notification-targets',
    body: { kind: 'mail', address: 'row@example.com' },
    as: 'target',
    records: [['notification_target_created', ':target', { events: null, kind: 'mail' }]],
  },
  {
    route: 'POST /alerts',
    body: {
      ...{ name: 'Row', filter: { decision: 'block' }, threshold: 2, window_minutes: 5 },
      endpoint_id: ':target',
    },
    as: 'alert',
    records: [['alert_created', ':alert', { endpoint_id: ':target', threshold: 2, window_minutes: 5 }]],
  },
  { route: 'DELETE /alerts/:alert', records: [['alert_removed', ':alert', {}]] },
  {
    route: 'DELETE /notification-targets/:target',
    records: [['notification_target_removed', ':target', {}]],
  },
  {
    route: 'PUT /audit-log/target',
    body: { url: '' },
    records: [['audit_target_changed', ORG, { has_target: false }]],
  },
  {
    route: 'DELETE /members/:user_id',
    records: [
      [
        'member_removed',
        ':user_id',
        { devices_revoked: [], enrollments_revoked: [], keys_revoked: [], role: 'auditor' },
      ],
    ],
  },
];
