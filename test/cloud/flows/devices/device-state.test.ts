import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deviceState } from '../../../../apps/cloud/src/flows/devices/device-state.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

test('hosts that need an administrator are a state, unless nothing is inspected at all', async () => {
  const key = await gateway.addDevice();
  const { organizationId } = gateway.account;
  const stateAfter = async (change: object): Promise<string> => {
    const body = { agent_version: '1.2.3', proxy_restarts: 0, supervisor_state: 'quiet', ...change };
    const { status } = await gateway.call('POST', '/api/v1/devices/heartbeat', { key, body });
    assert.equal(status, 200);
    const [device] = await gateway.storage.devices.list(organizationId);
    return deviceState(device!, device!.lastSeenAtMs ?? 0);
  };
  const needs_administrator = ['bank.example'];
  assert.equal(await stateAfter({ needs_administrator }), 'needs_administrator');
  assert.equal(
    await stateAfter({ needs_administrator, supervisor_state: 'retrying' }),
    'needs_administrator',
  );
  assert.equal(await stateAfter({ needs_administrator, supervisor_state: 'gave_up' }), 'gave_up');
  assert.equal(await stateAfter({ needs_administrator, system_proxy: 'not_set' }), 'retrying');
  assert.equal(await stateAfter({ needs_administrator: [] }), 'quiet', 'an administrator has acted');
  const many = { agent_version: '1', proxy_restarts: 0, supervisor_state: 'quiet' };
  const refused = await gateway.call('POST', '/api/v1/devices/heartbeat', {
    key,
    body: { ...many, needs_administrator: Array(21).fill('a.example') },
  });
  assert.equal(refused.status, 422);
});
