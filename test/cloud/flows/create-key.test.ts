import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAccount, addDeviceOf, addKeyOf, addMember, addOrganization } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { onBothDatabases } from '../../support/both-databases.ts';
import { signInAs, type TestBrowser } from '../../support/browser.ts';
import { createTestDatabase, noPostgres } from '../../support/databases.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const createAt = (gateway: TestGateway, key: string, body: object = {}) =>
  readAnswer(gateway.call('POST', '/api/v1/api-keys', { key, body: { name: 'New', ...body } }));

onBothDatabases('the plan’s limit of keys', (start) => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await start();
  });
  after(() => gateway.close());

  const create = (key: string, body?: object) => createAt(gateway, key, body);

  test('"bounded by the plan’s key limit": a Free account has one key in all its projects and organizations', async () => {
    const account = await addAccount(gateway, { plan: 'free' });
    await addDeviceOf(gateway, account);
    const other = await gateway.storage.projects.insert(account.organizationId, { name: 'Other' });
    for (const body of [{}, { project_id: account.projectId }, { project_id: other.id }]) {
      const refused = await create(account.key, body);
      assert.equal(refused.status, 403);
      assert.equal(refused.error['code'], 'plan_limit_reached');
      assert.equal(refused.error['current_plan'], 'free');
      assert.equal(refused.error['limit'], 1);
      assert.match(String(refused.error['message']), /allows 1 key in all/);
    }
    const mate = await addMember(gateway, account, 'member');
    assert.equal((await create(mate.key)).status, 403, 'for any caller');
  });

  test('expired keys, those of devices and those in others’ organizations do not count', async () => {
    const { storage } = gateway;
    const account = await addAccount(gateway, { plan: 'free' });
    const count = () => storage.keys.countForAccount(account.accountId, Date.now());
    assert.equal(await count(), 1);
    await addDeviceOf(gateway, account);
    const host = await addAccount(gateway, { plan: 'enterprise' });
    await addMember(gateway, host, 'member');
    await addKeyOf(gateway, host, account.accountId);
    assert.equal(await count(), 1);
    const [own] = await storage.keys.list(account.organizationId);
    await storage.keys.setExpiry(account.organizationId, own!.id, Date.now());
    assert.equal(await count(), 0);
    const second = await addOrganization(gateway, account.accountId);
    assert.equal(await count(), 1);
    assert.equal((await create(second.key)).status, 403);
  });

  test('Pro allows ten per project; keys created concurrently stay within it, for any creator', async () => {
    const account = await addAccount(gateway, { plan: 'pro' });
    const mate = await addMember(gateway, account, 'member');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => create(n % 2 ? account.key : mate.key)),
    );
    // The owner's and the teammate's are there already; the plan allows ten.
    assert.equal(answers.filter((answer) => answer.status === 200).length, 8);
    const other = await gateway.storage.projects.insert(account.organizationId, { name: 'Other' });
    assert.equal((await create(account.key, { project_id: other.id })).status, 200);
  });

  test('a key belongs to the user who created it', async () => {
    const account = await addAccount(gateway, { plan: 'enterprise' });
    const mate = await addMember(gateway, account, 'member');
    const made = await create(mate.key);
    assert.equal(made.status, 200);
    const key = await gateway.storage.keys.get(account.organizationId, made.body['id'] as string);
    assert.equal(key?.userId, mate.userId);
  });
});

describe('the limit of keys at two gateways on one PostgreSQL', { skip: noPostgres }, () => {
  test('ten concurrent creations on a Free account create one key', async (t) => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.databaseUrl, GATEWAY_MASTER_KEY: '5a'.repeat(32) };
    const gateways = [await startGateway({ env }), await startGateway({ env })] as const;
    t.after(async () => {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await database.drop();
    });
    const { storage } = gateways[0];
    for (let round = 0; round < 5; round++) {
      const account = await addAccount(gateways[0], { plan: 'free' });
      for (const { id } of await storage.keys.list(account.organizationId)) {
        await storage.keys.remove(account.organizationId, id);
      }
      // Different people: one person's own creations wait for each other anyway.
      const people: TestBrowser[] = [];
      for (let n = 0; n < 4; n++) {
        people.push(await signInAs(gateways[n % 2]!, 'member', account.organizationId));
      }
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => people[n % 4]!.call('POST', '/keys', { name: `New ${n}` })),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, `round ${round}`);
      const refused = answers.filter(({ error }) => error['code'] === 'plan_limit_reached');
      assert.equal(refused.length, 9);
    }
  });
});
