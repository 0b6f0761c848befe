import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUpService } from '../../../apps/cloud/src/flows/set-up-service.ts';
import { SYSTEM_CLOCK } from '../../../apps/cloud/src/gateway/configured-parts.ts';
import { makeKey } from '../../../apps/cloud/src/storage/key-format.ts';
import { startGateway } from '../../support/gateway.ts';

test('the first account is created once, on Enterprise and verified, and found afterwards', async (t) => {
  const gateway = await startGateway({ isOwn: true });
  t.after(() => gateway.close());
  const { storage, account } = gateway;
  const again = await setUpService({ storage, clock: SYSTEM_CLOCK, makeKey }, 'First key');
  assert.deepEqual({ ...again }, { ...account, firstKey: null }, 'no second key is shown');
  assert.equal((await storage.users.list()).length, 1);
  const subscription = await storage.subscriptions.get(account.accountId);
  assert.equal(subscription?.plan, 'enterprise');
  const user = await storage.users.get(account.accountId);
  assert.notEqual(user?.emailVerifiedAtMs, null);
  const member = await storage.members.get(account.organizationId, account.accountId);
  assert.equal(member?.role, 'owner');
  const policies = await storage.policies.listActive(account.organizationId, account.projectId);
  assert.ok(policies.length > 0, 'the preset’s policies can be read');
});
