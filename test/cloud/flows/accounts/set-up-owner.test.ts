import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  createSetUpCheck,
  offerSetUp,
  type SetUpInput,
  setUpOwner,
} from '../../../../apps/cloud/src/flows/accounts/set-up-owner.ts';
import { BROWSER, openAccountTestEnv, PASSWORD } from '../../../support/account-test-env.ts';

/** The service's own organization, whose owner cannot sign in yet. */
async function openSetUp(t: TestContext) {
  const env = await openAccountTestEnv(t);
  const { deps, storage } = env;
  const owner = await storage.users.insert({ email: 'operator@localhost' });
  const { id } = await storage.organizations.insert({
    ...{ kind: 'personal', name: 'Team', ownerId: owner.id, isOperator: true },
  });
  await storage.members.add(id, owner.id, 'owner');
  const offer = () => offerSetUp(deps, { accountId: owner.id, organizationId: id });
  const setUp = (token: string | null, change: Partial<SetUpInput> = {}) =>
    setUpOwner(deps, { token: token!, email: 'ada@example.com', password: PASSWORD, ...change }, BROWSER);
  const nameOf = async () => (await storage.organizations.get(id))?.name;
  return { ...env, userId: owner.id, organizationId: id, offer, setUp, nameOf };
}

test('a set-up gives the account its address and names, signs in, and is recorded', async (t) => {
  const { storage, userId, organizationId, offer, setUp, nameOf, changes } = await openSetUp(t);
  const check = createSetUpCheck({ storage });
  assert.equal(await check(), false);
  await setUp(await offer(), { email: ' ada@example.com ', name: ' Ada ', organization_name: ' Analysts ' });
  const user = await storage.users.get(userId);
  assert.deepEqual(
    [user?.email, user?.name, user?.emailVerifiedAtMs === null],
    ['ada@example.com', 'Ada', false],
  );
  assert.equal(await nameOf(), 'Analysts');
  assert.deepEqual(
    (await changes(organizationId)).map(({ kind, subject }) => [kind, subject]),
    [['owner_set_up', userId]],
  );
  assert.equal(await check(), true);
  assert.equal(await offer(), null, 'there is no second set-up');
});

test('the organization keeps its name unless another one is given', async (t) => {
  for (const change of [{}, { organization_name: '' }, { name: ' ', organization_name: '  ' }]) {
    const { storage, userId, offer, setUp, nameOf } = await openSetUp(t);
    await setUp(await offer(), change);
    assert.equal(await nameOf(), 'Team', JSON.stringify(change));
    assert.equal((await storage.users.get(userId))?.name, null);
  }
});

test('one set-up invalidates the other links', async (t) => {
  const { offer, setUp } = await openSetUp(t);
  const [first, second] = [await offer(), await offer()];
  await setUp(first);
  for (const token of [first, second]) await assert.rejects(setUp(token), { code: 'link_expired' });
});
