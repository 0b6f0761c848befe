import assert from 'node:assert/strict';
import type { ErrorCode } from '@csg/shared/contract';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { type Answer, CHAT, chat, type Rows, read, SCAN, scan, type TestEnv } from './error-test-env.ts';

const QUOTA = ['current_plan', 'requests_used', 'requests_limit', 'upgrade_url', 'retry_after'];

/** Errors of the amount: quotas, spending, rates and failed attempts. */
export const LIMIT_ERRORS = {
  quota_exceeded: ['/api/v1/guard', SCAN, '/api/v1/security/redact'].map((path) => ({
    provoke: async (w: TestEnv) => {
      const key = await w.account({ plan: 'free', monthly: 1 });
      const body = { ...scan, messages: [{ role: 'user', content: 'hello' }] };
      assert.equal((await w.gateway.call('POST', path, { key, body })).status, 200);
      return w.ask('POST', path, { key, body });
    },
    fields: QUOTA,
    hold: (answer: Answer, w: TestEnv) => holdQuota(answer, w, 1),
  })),
  monthly_quota_exceeded: [
    {
      provoke: async (w) => usedUp(w, await w.account({ plan: 'pro', monthly: 1 }), 1),
      fields: QUOTA,
      hold: (answer, w) => holdQuota(answer, w, 1),
    },
    {
      // A cap of 0 stops at the quota, and the plan has pay-as-you-go.
      provoke: async (w) => usedUp(w, await w.account({ plan: 'scale', monthly: 1, spendCapUsd: 0 }), 1),
      fields: [...QUOTA, 'on_demand_url'],
      hold: (answer, w) => holdQuota(answer, w, 1),
    },
    {
      provoke: async (w) => usedUp(w, await w.account({ plan: 'scale', monthly: 1, onDemand: false }), 1),
      fields: [...QUOTA, 'on_demand_url'],
    },
  ],
  spending_limit_exceeded: [
    {
      // 0.0004 dollars buy one request at 0.40 dollars per 1,000.
      provoke: async (w) => usedUp(w, await w.account({ plan: 'scale', monthly: 1, spendCapUsd: 0.0004 }), 2),
      fields: [...QUOTA, 'on_demand_url'],
      hold: (answer, w) => holdQuota(answer, w, 2),
    },
  ],
  subscription_inactive: (['past_due', 'canceled', 'none'] as const).map((status) => ({
    provoke: async (w: TestEnv) =>
      w.ask('POST', SCAN, { key: await w.account({ plan: 'pro', status }), body: scan }),
    fields: ['reactivate_url', 'subscription_status'],
    hold: ({ error, headers }: Answer) => {
      assert.equal(error['subscription_status'], status);
      assert.match(String(error['reactivate_url']), /^http/);
      assert.equal(headers.get('retry-after'), null);
    },
  })),
  token_budget_exceeded: [
    {
      provoke: async (w) => {
        const { plain: key } = await w.gateway.addKey({ limits: { dailyTokenLimit: 1 } });
        const request = { key, body: chat(), bearer: PROVIDER_KEY };
        assert.equal((await w.gateway.call('POST', CHAT, request)).status, 200);
        return w.ask('POST', CHAT, request);
      },
      fields: ['tokens_used', 'daily_token_limit', 'retry_after'],
      hold: ({ error, headers }, { clock }) => {
        const leftS = (86_400_000 - (clock.now() % 86_400_000)) / 1000;
        assert.equal(error['retry_after'], Math.ceil(leftS));
        assert.equal(headers.get('retry-after'), String(Math.ceil(leftS)));
      },
    },
  ],
  rate_limit_exceeded: [
    {
      provoke: async (w) => {
        const key = await w.account({ plan: 'pro', perMinute: 1 });
        await w.gateway.call('POST', SCAN, { key, body: scan });
        return w.ask('POST', SCAN, { key, body: scan });
      },
      fields: ['retry_after'],
      hold: ({ headers, error }, { clock }) => {
        assert.equal(headers.get('x-ratelimit-limit'), '1');
        assert.equal(headers.get('x-ratelimit-remaining'), '0');
        const leftS = Number(headers.get('x-ratelimit-reset')) - clock.now() / 1000;
        assert.equal(error['retry_after'], Math.ceil(leftS));
      },
    },
    {
      provoke: async (w) => {
        const edge = await w.other({ env: { EDGE_LIMIT_PER_MINUTE: '1' } });
        await edge.call('GET', '/api/v1/health', { key: null });
        return read(await edge.call('GET', '/api/v1/health', { key: null }));
      },
      fields: ['retry_after'],
    },
    {
      // The provider's own limit: its Retry-After is passed on, there is no retry_after.
      provoke: (w) => {
        w.testProvider.answer({
          status: 429,
          headers: { 'retry-after': '17' },
          body: '{"error":{"message":"Slow down"}}',
        });
        return w.ask('POST', CHAT, { body: chat(), bearer: PROVIDER_KEY });
      },
      type: 'rate_limit_error',
      fields: ['provider', 'provider_status'],
      hold: ({ headers }) => assert.equal(headers.get('retry-after'), '17'),
    },
  ],
  bot_detected: [
    {
      provoke: async (w) => {
        const strict = await w.other({ env: { AUTH_FAILURE_LIMIT: '3' } });
        for (let i = 0; i < 3; i++) {
          const failed = await strict.call('GET', '/api/v1/policies', { key: makeKey() });
          assert.equal(failed.status, 401);
        }
        return read(await strict.call('GET', '/api/v1/policies', { key: makeKey() }));
      },
      fields: ['retry_after'],
      hold: ({ error }) => assert.equal(error['retry_after'], 60),
    },
  ],
} satisfies Partial<Record<ErrorCode, Rows>>;

async function usedUp(w: TestEnv, key: string, count: number): Promise<Answer> {
  w.testProvider.answer({ text: 'Hello' });
  for (let i = 0; i < count; i++) {
    const passed = await w.gateway.call('POST', CHAT, { key, body: chat(), bearer: PROVIDER_KEY });
    assert.equal(passed.status, 200, await passed.text());
  }
  const requestCount = w.testProvider.requests.length;
  const refused = await w.ask('POST', CHAT, { key, body: chat(), bearer: PROVIDER_KEY });
  assert.equal(w.testProvider.requests.length, requestCount, 'the provider received a request');
  return refused;
}

function holdQuota({ status, headers, error }: Answer, { clock }: TestEnv, used: number): void {
  assert.equal(error['requests_used'], used);
  assert.equal(error['requests_limit'], 1);
  const untilDecember = (Date.UTC(2026, 11, 1) - clock.now()) / 1000;
  assert.equal(error['retry_after'], untilDecember);
  assert.equal(headers.get('retry-after'), status === 429 ? String(untilDecember) : null);
  assert.match(String(error['upgrade_url']), /^http/);
}
