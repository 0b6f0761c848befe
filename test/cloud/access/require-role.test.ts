import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../../../apps/cloud/src/storage/storage.ts';
import { addAccount, addKeyOf, addMember } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { startGateway } from '../../support/gateway.ts';

test('owner, admin and member may change things, a viewer and one who left may not', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const owner = await addAccount(gateway, { plan: 'enterprise' });
  const create = (key: string) =>
    readAnswer(gateway.call('POST', '/api/v1/projects', { key, body: { name: 'New' } }));
  for (const role of ['admin', 'member', 'viewer'] satisfies Role[]) {
    const { key, userId } = await addMember(gateway, owner, role);
    const answer = await create(key);
    assert.equal(answer.status, role === 'viewer' ? 403 : 200, role);
    await gateway.storage.members.remove(owner.organizationId, userId);
    assert.equal((await create(key)).error['code'], 'insufficient_role', 'no longer a member');
  }
  assert.equal((await create(owner.key)).status, 200);
  const operators = await addKeyOf(gateway, owner, null);
  assert.equal((await create(operators)).status, 200, 'a key of the command line acts for the operator');
});
