import type { Role } from '../../apps/cloud/src/storage/storage.ts';
import { PASSWORD } from '../support/browser.ts';

export interface DashboardRow {
  /** The least role; `person`: whoever is signed in; `open`: anybody. */
  readonly who: Role | 'person' | 'open';
  readonly body?: () => object;
  /** What who may call it gets, on an id that there is none of where the address names one. Default 200, or 404. */
  readonly status?: number;
  /** It would end the session or the standing of whoever calls it: tried by those alone who may not. */
  readonly endsCaller?: true;
}

let made = 0;
const email = () => `row${++made}@example.com`;
const decision = () => ({ decision: 'deny' });
const draft = { name: 'Row', action: 'monitor', threat_types: ['prompt_injection'] };

/** Every route under `/dashboard` that is no file. A route that is missing here fails its test. */
export const DASHBOARD_ROUTES: Readonly<Record<string, DashboardRow>> = {
  'POST /session': { who: 'open', body: () => ({ email: email(), password: 'x' }), status: 401 },
  'GET /session': { who: 'person' },
  'DELETE /session': { who: 'person', endsCaller: true },
  'POST /set-up': {
    who: 'open',
    body: () => ({ token: 'x', email: email(), password: PASSWORD }),
    status: 410,
  },
  'GET /sign-in-options': { who: 'open' },
  'POST /sign-up': { who: 'open', body: () => ({ email: email(), password: PASSWORD }), status: 403 },
  'POST /password/forgot': { who: 'open', body: () => ({ email: email() }), status: 204 },
  'POST /password/reset': { who: 'open', body: () => ({ token: 'x', password: PASSWORD }), status: 410 },
  'GET /version': { who: 'person' },

  'PATCH /account': { who: 'person', body: () => ({ name: 'Row' }), status: 204 },
  'POST /account/password': {
    who: 'person',
    body: () => ({ current_password: 'wrong', new_password: PASSWORD }),
    status: 422,
  },
  'POST /account/email': {
    who: 'person',
    body: () => ({ email: email(), current_password: 'wrong' }),
    status: 422,
  },
  'POST /account/email/resend': { who: 'person', status: 409 },
  'POST /account/email/verify': { who: 'person', body: () => ({ token: 'x' }), status: 410 },
  'GET /account/sessions': { who: 'person' },
  'DELETE /account/sessions': { who: 'person' },
  'DELETE /account/sessions/:session_id': { who: 'person' },
  'GET /account/second-factor': { who: 'person' },
  'POST /account/second-factor': {
    who: 'person',
    body: () => ({ current_password: 'wrong' }),
    status: 422,
  },
  'POST /account/second-factor/confirm': { who: 'person', body: () => ({ code: '000000' }), status: 401 },
  'POST /account/second-factor/recovery-codes': {
    who: 'person',
    body: () => ({ code: '000000' }),
    status: 401,
  },
  'POST /account/second-factor/remove': {
    who: 'person',
    body: () => ({ current_password: PASSWORD, code: '000000' }),
    status: 409,
  },

  'POST /organizations': { who: 'person', body: () => ({ name: 'Row' }), endsCaller: true },
  'POST /session/organization': { who: 'person', body: () => ({ organization_id: 'org_none' }), status: 404 },
  'GET /organization': { who: 'viewer' },
  'PATCH /organization': { who: 'admin', body: () => ({}) },
  'POST /organization/transfer': {
    who: 'owner',
    body: () => ({ user_id: 'usr_none', current_password: 'wrong' }),
    status: 422,
  },
  'POST /organization/leave': { who: 'viewer', endsCaller: true },
  'GET /members': { who: 'viewer' },
  'PATCH /members/:user_id': { who: 'admin', body: () => ({ role: 'viewer' }) },
  'DELETE /members/:user_id': { who: 'admin' },
  'GET /invitations': { who: 'admin' },
  'POST /invitations': { who: 'admin', body: () => ({ email: email(), role: 'viewer' }) },
  'POST /invitations/:invitation_id/resend': { who: 'admin' },
  'DELETE /invitations/:invitation_id': { who: 'admin' },
  'POST /invitation': { who: 'open', body: () => ({ token: 'x' }), status: 410 },
  'POST /invitation/accept': { who: 'open', body: () => ({ token: 'x' }), status: 410 },
  'GET /mails': { who: 'admin' },
  'GET /mails/:mail_id': { who: 'admin' },
  'POST /mails/:mail_id/retry': { who: 'admin' },
  'GET /directory-tokens': { who: 'admin' },
  'POST /directory-tokens': { who: 'admin', body: () => ({ name: 'Row' }) },
  'DELETE /directory-tokens/:token_id': { who: 'admin' },

  'GET /overview': { who: 'viewer' },
  'GET /events': { who: 'viewer' },
  'GET /events/:event_id': { who: 'viewer' },
  'PUT /events/:event_id/mark': { who: 'member', body: () => ({}) },
  'DELETE /events/:event_id/mark': { who: 'member' },
  'GET /false-alarms': { who: 'viewer' },
  'GET /keys': { who: 'viewer' },
  'POST /keys': { who: 'member', body: () => ({ name: 'Row' }) },
  'DELETE /keys/:key_id': { who: 'member' },
  'PUT /keys/:key_id/toggle': { who: 'member' },
  'POST /keys/:key_id/reveal': { who: 'member' },
  'POST /keys/:key_id/rotate': { who: 'member', body: () => ({}) },
  'GET /projects': { who: 'viewer' },
  'POST /projects': { who: 'member', body: () => ({ name: 'Row' }) },
  'PATCH /projects/:project_id': { who: 'admin', body: () => ({ name: 'Row' }) },
  'GET /providers': { who: 'viewer' },
  'PUT /projects/:project_id/credentials/openai': { who: 'admin', body: () => ({ secret: 'sk-row-of-a-table' }) },
  'DELETE /projects/:project_id/credentials/openai': { who: 'admin' },
  'POST /playground': { who: 'viewer', body: () => ({ text: 'Hello' }) },
  'GET /devices': { who: 'viewer' },
  'POST /devices/:device_id/revoke': { who: 'admin' },
  'GET /fleet-settings': { who: 'viewer' },
  'PATCH /fleet-settings': { who: 'admin', body: () => ({ mode: 'enforce' }) },
  'GET /enrollments': { who: 'admin' },
  'POST /enrollments/:enrollment_id/revoke': { who: 'admin' },
  'GET /approvals/waiting': { who: 'viewer' },
  'GET /exceptions': { who: 'viewer' },
  'POST /exceptions': { who: 'viewer', body: () => ({ destination_host: 'row.example.com' }) },
  'GET /exceptions/:exception_id': { who: 'viewer' },
  'POST /exceptions/:exception_id/decision': { who: 'admin', body: decision },
  'POST /exceptions/:exception_id/cancel': { who: 'viewer' },
  'GET /tool-requests': { who: 'viewer' },
  'POST /tool-requests': { who: 'viewer', body: () => ({ requested_host: 'row.example.com' }) },
  'POST /tool-requests/:request_id/decision': { who: 'admin', body: decision },
  'POST /tool-requests/:request_id/cancel': { who: 'viewer' },
  'GET /projects/:project_id/tools': { who: 'viewer' },
  'PUT /projects/:project_id/tools': {
    who: 'admin',
    body: () => ({ blocked_tools: [], allowed_tools: [], review_required_tools: [] }),
  },
  'GET /tool-reviews': { who: 'viewer' },
  'POST /tool-reviews/:review_id/decision': { who: 'admin', body: decision },
  'GET /security-testing/runs': { who: 'viewer' },
  'POST /security-testing/runs': { who: 'member', body: () => ({ target_preset: 'nonsense' }), status: 400 },
  'GET /security-testing/runs/:run_id': { who: 'viewer' },
  'GET /policies': { who: 'viewer' },
  'POST /policies': { who: 'admin', body: () => draft },
  'PATCH /policies/:policy_id': { who: 'admin', body: () => ({ name: 'Row' }) },
  'DELETE /policies/:policy_id': { who: 'admin' },
  'POST /policies/reorder': { who: 'admin', body: () => ({ policy_ids: ['pol_none'] }), status: 409 },
  'POST /policies/preview': { who: 'viewer', body: () => ({ policy: draft }) },
  'POST /policies/try': { who: 'viewer', body: () => ({ samples: ['Hello'], policy: draft }) },
  'GET /projects/:project_id/webhook': { who: 'viewer' },
  'PATCH /projects/:project_id/webhook': { who: 'admin', body: () => ({ webhook_enabled: false }) },
  'POST /projects/:project_id/webhook/secret': { who: 'admin', body: () => ({}) },
  'DELETE /projects/:project_id/webhook/secret': { who: 'admin' },
  'POST /projects/:project_id/webhook/test': { who: 'admin' },
  'GET /projects/:project_id/policy-webhook': { who: 'viewer' },
  'PATCH /projects/:project_id/policy-webhook': { who: 'admin', body: () => ({ enabled: false }) },
  'GET /projects/:project_id/retention': { who: 'viewer' },
  'PATCH /projects/:project_id/retention': { who: 'admin', body: () => ({ retention_days: 30 }) },
  'GET /webhook-deliveries': { who: 'viewer' },
  'GET /webhook-deliveries/:delivery_id': { who: 'viewer' },
  'POST /webhook-deliveries/:delivery_id/retry': { who: 'admin' },
  'POST /enrollments': { who: 'admin', body: () => ({ project_id: 'proj_none' }), status: 404 },
};
