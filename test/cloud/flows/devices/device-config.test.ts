import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readSharedConfig } from '../../../../apps/cloud/src/flows/devices/device-config.ts';
import { signInAs } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

let gateway: TestGateway;
let adminKey: string;
before(async () => {
  gateway = await startGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  adminKey = (await gateway.addKey({ projectId: null })).plain;
});
after(() => gateway.close());

async function deliveryAfter(settings: object): Promise<object> {
  const { organizationId, projectId } = gateway.account;
  const answer = await gateway.call('PATCH', `/api/v1/projects/${projectId}`, {
    key: adminKey,
    body: settings,
  });
  assert.equal(answer.status, 200, await answer.text());
  const { storage } = gateway;
  const deps = { storage, clock: createManualClock(), signer: { keyId: 'k', sign: () => '' } };
  return (await readSharedConfig(deps, organizationId, projectId)).delivery;
}

test('a project’s own settings for the delivery of responses reach its devices', async () => {
  assert.deepEqual(await deliveryAfter({}), {});
  assert.deepEqual(await deliveryAfter({ streaming: 'live' }), { streaming: 'live' });
  const secret_tools = { deploy: ['api_key'] };
  assert.deepEqual(await deliveryAfter({ streaming: null, masking: 'round_trip', secret_tools }), {
    masking: 'round_trip',
    secret_tools,
  });
  assert.deepEqual(await deliveryAfter({ masking: 'one_way' }), { masking: 'one_way' });
  assert.deepEqual(await deliveryAfter({ masking: null }), {});
  assert.deepEqual(await deliveryAfter({ streaming: 'buffered' }), { streaming: 'buffered' });
});

test('responses are buffered for a project whose webhook takes part in verdicts', async () => {
  const admin = await signInAs(gateway, 'admin');
  const at = `/projects/${gateway.account.projectId}/policy-webhook`;
  const saved = await admin.call('PATCH', at, { url: 'http://127.0.0.1:9/', enabled: true });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.deepEqual(await deliveryAfter({ streaming: 'live' }), { streaming: 'buffered' });
});
