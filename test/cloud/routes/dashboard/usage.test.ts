import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UsageOverview } from '@csg/shared/contract';
import { addAccount, addDeviceOf, addMember } from '../../../support/accounts.ts';
import { signInAs } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

describe('usage and plan', () => {
  const clock = createManualClock(Date.UTC(2026, 10, 16));
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  test('show the month, its projection and its cost', async () => {
    const scale = await addAccount(gateway, { plan: 'scale', monthly: 4, perMinute: 1_000 });
    const owner = await signInAs(gateway, 'owner', scale.organizationId);
    const read = async () => (await owner.call<UsageOverview>('GET', '/usage')).body;
    const device = await addDeviceOf(gateway, scale);
    for (const key of [scale.key, scale.key, scale.key, scale.key, device, device]) {
      await gateway.call('POST', '/api/v1/security/scan', { key, body: { content: 'hello there' } });
    }
    const month = await read();
    assert.deepEqual(
      [month.month, month.plan, month.quota, month.requests_used, month.requests_limit, month.overage],
      ['2026-11', 'scale', 'soft', 6, 4, 2],
    );
    assert.deepEqual([month.percentage, month.device_requests], [150, 2]);
    assert.equal(month.projected_requests, 12, 'half of the month has passed');
    assert.deepEqual([month.overage_usd, month.projected_overage_usd], [0.0008, 0.0032]);
    assert.deepEqual([month.on_demand, month.spend_cap_usd, month.projects_used], [true, 500, 1]);
    assert.equal(month.daily_usage.length, 16);
    assert.deepEqual(month.daily_devices, [{ date: '2026-11-16', requests: 2 }]);

    const capped = await owner.call<UsageOverview>('PATCH', '/usage/spending', { spend_cap_usd: 0 });
    assert.equal(capped.body.spend_cap_usd, 0);
    const refused = await gateway.call('POST', '/api/v1/security/scan', {
      key: scale.key,
      body: { content: 'hello' },
    });
    assert.equal(refused.status, 403, 'a cap of 0 stops at the quota, immediately');
    await owner.call('PATCH', '/usage/spending', { on_demand: false, spend_cap_usd: 20 });
    assert.deepEqual([(await read()).on_demand, (await read()).overage_usd], [false, 0]);
    const { rows } = await gateway.storage.audit.page(scale.organizationId, { kind: 'spending_changed' });
    assert.deepEqual(rows[0]?.data, { on_demand: false, spend_cap_usd: 20 });
  });

  test('let only the owner change spending, and only on a plan with pay-as-you-go', async () => {
    const scale = await addAccount(gateway, { plan: 'scale' });
    const { userId } = await addMember(gateway, scale, 'admin');
    assert.ok(userId);
    const admin = await signInAs(gateway, 'admin', scale.organizationId);
    assert.equal((await admin.call('GET', '/usage')).status, 200);
    assert.equal((await admin.call('PATCH', '/usage/spending', { spend_cap_usd: 1 })).status, 403);
    const pro = await addAccount(gateway, { plan: 'pro' });
    const owner = await signInAs(gateway, 'owner', pro.organizationId);
    const answer = await owner.call('PATCH', '/usage/spending', { spend_cap_usd: 1 });
    assert.deepEqual([answer.status, answer.error['code']], [403, 'feature_not_available']);
    assert.equal((await owner.call<UsageOverview>('GET', '/usage')).body.overage_usd, 0);
    const scaleOwner = await signInAs(gateway, 'owner', scale.organizationId);
    assert.equal((await scaleOwner.call('PATCH', '/usage/spending', { spend_cap_usd: -1 })).status, 422);
  });
});
