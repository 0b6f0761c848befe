import assert from 'node:assert/strict';
import type { ErrorCode, Permission } from '@csg/shared/contract';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { CHAT, chat, type Rows, SCAN, scan } from './error-test-env.ts';

/** Errors that depend on the caller: keys, scopes, roles and limits of the plan. */
export const ACCESS_ERRORS = {
  missing_api_key: [{ provoke: (w) => w.ask('GET', '/api/v1/policies', { key: null }) }],
  invalid_api_key: [
    { provoke: (w) => w.ask('GET', '/api/v1/policies', { key: makeKey() }) },
    {
      // The provider rejected its API key.
      provoke: (w) => {
        w.testProvider.answer({ status: 401, body: '{"error":{"message":"no","code":"invalid_api_key"}}' });
        return w.ask('POST', CHAT, { body: chat(), bearer: PROVIDER_KEY });
      },
      fields: ['provider', 'provider_status', 'provider_code'],
      hold: ({ error }) => assert.match(String(error['message']), /OpenAI/),
    },
  ],
  unauthorized: [
    {
      provoke: (w) => w.ask('POST', '/api/v1/guard', { key: null, body: {} }),
      fields: ['reason'],
      hold: ({ error }) => assert.equal(error['reason'], 'missing_api_key'),
    },
    {
      provoke: (w) => w.ask('POST', '/api/v1/security/redact', { key: makeKey(), body: scan }),
      fields: ['reason'],
      hold: ({ error }) => assert.equal(error['reason'], 'invalid_api_key'),
    },
  ],
  disabled_api_key: [
    {
      provoke: async (w) => {
        const { plain, record } = await w.gateway.addKey();
        await w.gateway.storage.keys.setActive(w.gateway.account.organizationId, record.id, false);
        return w.ask('POST', SCAN, { key: plain, body: scan });
      },
    },
  ],
  expired_api_key: [
    {
      provoke: async (w) => {
        const { plain } = await w.gateway.addKey({ expiresAtMs: w.clock.now() });
        return w.ask('POST', SCAN, { key: plain, body: scan });
      },
    },
  ],
  missing_provider_key: [{ provoke: (w) => w.ask('POST', CHAT, { body: chat() }) }],
  invalid_enrollment_token: [
    {
      provoke: (w) =>
        w.ask('POST', '/api/v1/enroll', {
          key: null,
          body: { token: 'spent', device_name: 'Laptop', platform: 'linux' },
        }),
    },
  ],
  insufficient_scope: [
    {
      provoke: async (w) => {
        const { plain } = await w.gateway.addKey({ permissions: ['usage'] });
        return w.ask('POST', SCAN, { key: plain, body: scan });
      },
      fields: ['required_scope'],
      hold: ({ error }) => assert.equal(error['required_scope'], 'scan' satisfies Permission),
    },
    {
      provoke: async (w) => w.ask('GET', '/api/v1/api-keys', { key: await w.gateway.addDevice() }),
      fields: ['required_scope'],
    },
  ],
  model_not_allowed: [
    {
      provoke: async (w) => {
        const { plain: key } = await w.gateway.addKey({ limits: { allowedModels: ['gpt-a'] } });
        return w.ask('POST', CHAT, { key, body: chat(), bearer: PROVIDER_KEY });
      },
      fields: ['allowed_models'],
      hold: ({ error }) => assert.deepEqual(error['allowed_models'], ['gpt-a']),
    },
  ],
  insufficient_role: [
    {
      provoke: async (w) => {
        const { storage, account } = w.gateway;
        const viewer = await storage.users.insert({ email: 'viewer@example.com', emailVerifiedAtMs: 1 });
        await storage.members.add(account.organizationId, viewer.id, 'viewer');
        const { plain } = await w.gateway.addKey({ userId: viewer.id });
        return w.ask('POST', '/api/v1/projects', { key: plain, body: { name: 'x' } });
      },
      fields: ['required_role'],
    },
  ],
  ip_not_allowed: [
    {
      provoke: async (w) => {
        const key = await w.account({ plan: 'enterprise' });
        const { organizationId } = (await w.gateway.storage.keys.findForAuth(key))!;
        await w.gateway.storage.organizations.setAllowedIps(organizationId, ['192.0.2.0/24']);
        return w.ask('POST', SCAN, { key, body: scan });
      },
    },
  ],
  email_not_verified: [
    {
      provoke: async (w) => {
        const { storage, account } = w.gateway;
        const member = await storage.users.insert({ email: 'new@example.com' });
        await storage.members.add(account.organizationId, member.id, 'member');
        const { plain } = await w.gateway.addKey({ userId: member.id });
        return w.ask('POST', '/api/v1/api-keys', { key: plain, body: { name: 'x' } });
      },
    },
  ],
  plan_limit_reached: [
    {
      provoke: async (w) =>
        w.ask('POST', '/api/v1/api-keys', { key: await w.account({ plan: 'free' }), body: { name: 'x' } }),
      fields: ['current_plan', 'limit'],
      hold: ({ error }) => assert.deepEqual([error['current_plan'], error['limit']], ['free', 1]),
    },
    {
      provoke: async (w) =>
        w.ask('POST', '/api/v1/projects', { key: await w.account({ plan: 'free' }), body: { name: 'x' } }),
      fields: ['current_plan', 'limit'],
    },
  ],
  feature_not_available: 'no route of today is part of one plan only',
} satisfies Partial<Record<ErrorCode, Rows>>;
