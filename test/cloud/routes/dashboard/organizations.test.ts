import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OrganizationResponse } from '@csg/shared/contract';
import { addAccount, addDeviceOf } from '../../../support/accounts.ts';
import { signInAs } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

describe('the IP allow-list for keys', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ env: { TRUST_PROXY: 'on' } });
  });
  after(() => gateway.close());

  const ask = async (key: string, address: string) =>
    await gateway.call('GET', '/api/v1/policies', { key, headers: { 'x-forwarded-for': address } });

  test('applies to every key of the organization immediately, and to no device', async () => {
    const admin = await signInAs(gateway, 'admin');
    const device = await addDeviceOf(gateway, gateway.account);
    const set = (allowed_ips: string[]) =>
      admin.call<OrganizationResponse>('PATCH', '/organization', { allowed_ips });
    assert.equal((await ask(gateway.key, '203.0.113.5')).status, 200);
    const { status, body } = await set(['192.0.2.0/24', ' 2001:db8::1 ', '192.0.2.0/24']);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.allowed_ips, ['192.0.2.0/24', '2001:db8::1']);
    assert.match(body.your_address, /127\.0\.0\.1|::1/);
    const refused = await ask(gateway.key, '203.0.113.5');
    assert.equal(refused.status, 403);
    assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'ip_not_allowed');
    assert.equal((await ask(gateway.key, '192.0.2.77')).status, 200);
    assert.equal((await ask(gateway.key, '2001:db8::1')).status, 200);
    assert.equal((await ask(device, '203.0.113.5')).status, 200, 'devices are exempt');
    assert.equal((await admin.whoAmI()).status, 200, 'no member is locked out of the dashboard');
    assert.equal((await admin.call('PATCH', '/organization', { name: 'Renamed' })).status, 200);
    assert.equal(
      (await ask(gateway.key, '203.0.113.5')).status,
      403,
      'a change of name does not change the list',
    );
    assert.deepEqual((await set([])).body.allowed_ips, []);
    assert.equal((await ask(gateway.key, '203.0.113.5')).status, 200);
    const [row] = (await gateway.storage.audit.page(gateway.account.organizationId)).rows;
    assert.deepEqual([row?.kind, row?.data], ['organization_changed', { renamed: false, allowed_ips: [] }]);
  });

  test('reports an invalid address or range at its entry', async () => {
    const admin = await signInAs(gateway, 'admin');
    const answer = await admin.call<{ detail: { loc: unknown[]; msg: string }[] }>('PATCH', '/organization', {
      allowed_ips: ['192.0.2.1', 'office'],
    });
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.detail[0]?.loc, ['body', 'allowed_ips', 1]);
    assert.match(answer.body.detail[0]?.msg ?? '', /Enter an address such as/);
    const many = Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`);
    assert.equal((await admin.call('PATCH', '/organization', { allowed_ips: many })).status, 422);
  });

  test('is part of the Enterprise plan; an existing list stays in force and can be removed', async () => {
    const { organizationId, accountId, key } = await addAccount(gateway, { plan: 'pro' });
    const owner = await signInAs(gateway, 'owner', organizationId);
    await owner.call('POST', '/session/organization', { organization_id: organizationId });
    const refused = await owner.call('PATCH', '/organization', { allowed_ips: ['192.0.2.0/24'] });
    assert.equal(refused.error['code'], 'feature_not_available');
    assert.equal((await owner.call('GET', '/organization')).body['ip_allow_list_available'], false);
    await gateway.storage.subscriptions.set(accountId, { plan: 'enterprise' });
    await owner.call('PATCH', '/organization', { allowed_ips: ['192.0.2.0/24'] });
    await gateway.storage.subscriptions.set(accountId, { plan: 'pro' });
    assert.equal((await ask(key, '203.0.113.5')).status, 403, 'it does not end with the plan');
    assert.equal((await owner.call('PATCH', '/organization', { allowed_ips: [] })).status, 200);
    assert.equal((await ask(key, '203.0.113.5')).status, 200);
  });
});
