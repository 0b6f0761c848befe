import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAccount, addDeviceOf, addMember } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('the plan’s allowance of keys', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const create = (key: string, body: object) =>
    readAnswer(gateway.call('POST', '/api/v1/api-keys', { key, body: { name: 'New', ...body } }));

  test('free allows one key per project; devices and ended keys are none of them', async () => {
    const account = await addAccount(gateway, { plan: 'free' });
    await addDeviceOf(gateway, account);
    const refused = await create(account.key, {});
    assert.equal(refused.status, 403);
    assert.equal(refused.error['code'], 'plan_limit_reached');
    assert.equal(refused.error['current_plan'], 'free');
    assert.equal(refused.error['limit'], 1);
    const other = await gateway.storage.projects.insert(account.organizationId, { name: 'Other' });
    assert.equal(
      (await create(account.key, { project_id: other.id })).status,
      200,
      'another project has its own',
    );
    assert.equal((await create(account.key, { project_id: other.id })).status, 403);
  });

  test('keys made at once stay within it, whoever makes them', async () => {
    const account = await addAccount(gateway, { plan: 'pro' });
    const mate = await addMember(gateway, account, 'member');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => create(n % 2 ? account.key : mate.key, {})),
    );
    // The owner's and the teammate's are there already; the plan allows ten.
    assert.equal(answers.filter((answer) => answer.status === 200).length, 8);
  });

  test('a key is made by its person: it goes with them', async () => {
    const account = await addAccount(gateway, { plan: 'enterprise' });
    const mate = await addMember(gateway, account, 'member');
    const made = await create(mate.key, {});
    assert.equal(made.status, 200);
    const key = await gateway.storage.keys.get(account.organizationId, made.body['id'] as string);
    assert.equal(key?.userId, mate.userId);
  });
});
