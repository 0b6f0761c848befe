import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAccount, addMember, addOrganization } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('creating a project', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const create = (key: string, body: object) =>
    readAnswer(gateway.call('POST', '/api/v1/projects', { key, body }));

  test('uses the given fields, and defaults for the others', async () => {
    const plain = await create(gateway.key, { name: 'Plain' });
    assert.equal(plain.status, 200, plain.text);
    const { id, created_at, ...rest } = plain.body;
    assert.match(String(id), /^proj_/);
    assert.ok(!Number.isNaN(Date.parse(String(created_at))));
    assert.deepEqual(rest, {
      name: 'Plain',
      description: null,
      fail_mode: 'open',
      use_case: 'default',
      strictness_level: 'moderate',
      zero_retention: false,
      on_unscanned: 'allow',
      untrusted_data: 'withhold',
      flow_control: 'monitor',
      effect_tools: [],
      record_tools: [],
      streaming: 'buffered',
      masking: 'one_way',
      secret_tools: {},
      explicit_settings: [],
    });
    const full = await create(gateway.key, {
      name: 'Full',
      description: 'with all',
      fail_mode: 'closed',
      use_case: 'support_bot',
      strictness_level: 'strict',
    });
    assert.deepEqual(
      [
        full.body['description'],
        full.body['fail_mode'],
        full.body['use_case'],
        full.body['strictness_level'],
      ],
      ['with all', 'closed', 'support_bot', 'strict'],
    );
    const listed = await gateway.call('GET', '/api/v1/projects');
    const names = ((await listed.json()) as { name: string }[]).map((project) => project.name);
    assert.deepEqual(names, ['Default project', 'Plain', 'Full'], 'a bare array, oldest first');
  });

  test('is limited by the owner’s plan, over all organizations, for any caller', async () => {
    const owner = await addAccount(gateway, { plan: 'pro' });
    const team = await addOrganization(gateway, owner.accountId);
    const mate = await addMember(gateway, team, 'member');
    for (let n = 0; n < 8; n++) {
      const made = await create(n % 2 ? owner.key : mate.key, { name: `Project ${n}` });
      assert.equal(made.status, 200, made.text);
    }
    for (const key of [owner.key, mate.key]) {
      const refused = await create(key, { name: 'One too many' });
      assert.equal(refused.status, 403);
      assert.equal(refused.error['code'], 'plan_limit_reached');
      assert.equal(refused.error['current_plan'], 'pro');
      assert.equal(refused.error['limit'], 10);
    }
  });

  test('is rejected for a viewer, who sees the projects of their organization only', async () => {
    const owner = await addAccount(gateway, { plan: 'scale' });
    const viewer = await addMember(gateway, owner, 'viewer');
    const refused = await create(viewer.key, { name: 'x' });
    assert.equal(refused.error['code'], 'insufficient_role');
    assert.equal(refused.error['required_role'], 'member');
    const list = await gateway.call('GET', '/api/v1/projects', { key: viewer.key });
    assert.equal(((await list.json()) as unknown[]).length, 1);
  });

  test('rejects invalid input with a 422 that names the field', async () => {
    for (const [body, place] of [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x', fail_mode: 'ajar' }, 'fail_mode'],
      [{ name: 'x', use_case: 'poetry' }, 'use_case'],
      [{ name: 'x', strictness_level: 'lax' }, 'strictness_level'],
    ] as const) {
      const refused = await create(gateway.key, body);
      assert.equal(refused.status, 422, JSON.stringify(body));
      assert.deepEqual((refused.body['detail'] as { loc: unknown }[])[0]?.loc, ['body', place]);
    }
  });
});
