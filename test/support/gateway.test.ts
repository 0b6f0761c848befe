import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeSharedParts, sharePartsOfProcess } from '../../scripts/testing/shared-parts.ts';
import { createManualClock } from './clock.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { startTestProvider } from './test-provider.ts';

sharePartsOfProcess();
after(closeSharedParts);

const keysOf = async (gateway: TestGateway): Promise<number> =>
  (await gateway.storage.keys.list(gateway.account.organizationId)).length;

test('files that ask for the same configuration share a gateway, each with an organization of its own', async () => {
  const one = await startGateway();
  await one.addKey();
  await one.close();
  const other = await startGateway();
  assert.equal(other.address, one.address);
  assert.notEqual(other.account.organizationId, one.account.organizationId);
  assert.equal(await keysOf(other), 1);
  assert.equal((await other.call('GET', '/api/v1/policies')).status, 200);
  assert.throws(() => other.dataDir, /isOwn/);
  await other.close();
});

test('the next stand-in for a provider has the address of the last, so that they share as well', async () => {
  const addresses: string[] = [];
  for (let n = 0; n < 2; n++) {
    const testProvider = await startTestProvider();
    const gateway = await startGateway({ providerUrl: testProvider.url });
    addresses.push(gateway.address);
    await gateway.close();
    await testProvider.close();
  }
  assert.equal(addresses[0], addresses[1]);
});

test('another environment, a clock, a folder or isOwn means another gateway', async (t) => {
  const gateways = [
    await startGateway(),
    await startGateway({ env: { SIGN_UP: 'open' } }),
    await startGateway({ clock: createManualClock() }),
    await startGateway({ isOwn: true }),
  ];
  t.after(() => Promise.all(gateways.map((gateway) => gateway.close())));
  assert.equal(new Set(gateways.map(({ address }) => address)).size, gateways.length);
});
