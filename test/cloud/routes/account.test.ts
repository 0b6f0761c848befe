import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

interface Policy {
  readonly id: string;
  readonly name: string;
  readonly action: string;
  readonly threat_types: string[];
  readonly priority: number;
  readonly scope: string;
}

describe('policies and enrollment', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const policies = async (key = gateway.key) => {
    const { body, status } = await readAnswer(gateway.call('GET', '/api/v1/policies', { key }));
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['policies', 'total']);
    const list = body['policies'] as Policy[];
    assert.equal(body['total'], list.length);
    return list;
  };

  test('a project starts with the policies of its preset', async () => {
    const list = await policies();
    assert.ok(list.length > 0);
    for (const policy of list) {
      assert.deepEqual(Object.keys(policy).sort(), [
        'action',
        'description',
        'id',
        'name',
        'priority',
        'scope',
        'threat_types',
      ]);
      assert.match(policy.action, /^(allow|monitor|redact|block)$/);
      assert.equal(policy.scope, 'project');
    }
  });

  test('the policies of the project and the account come by priority, without those of other projects', async () => {
    const { organizationId, projectId } = gateway.account;
    const { storage } = gateway;
    const policy = (name: string, priority: number) => ({
      name,
      description: null,
      action: 'block' as const,
      threatTypes: ['jailbreak' as const],
      priority,
    });
    const other = await storage.projects.insert(organizationId, { name: 'Other' });
    await storage.policies.insertMany(organizationId, projectId, [policy('mine', 5_000), policy('last', -1)]);
    await storage.policies.insertMany(organizationId, null, [policy('global', 9_000)]);
    await storage.policies.insertMany(organizationId, other.id, [policy('foreign', 9_999)]);
    const list = await policies();
    const priorities = list.map((item) => item.priority);
    assert.deepEqual(
      priorities,
      priorities.toSorted((a, b) => b - a),
    );
    assert.equal(list[0]?.name, 'global');
    assert.equal(list[0]?.scope, 'account');
    assert.equal(list[1]?.name, 'mine');
    assert.equal(list.at(-1)?.name, 'last');
    assert.ok(!list.some((item) => item.name === 'foreign'));
    const { plain } = await gateway.addKey({ projectId: null });
    assert.deepEqual(
      (await policies(plain)).map((item) => item.name),
      ['global'],
      'a key without a project gets only those of the account',
    );
  });

  test('enroll needs no key, and ignores one', async () => {
    const body = { token: 'svc_enroll_wrong', device_name: 'x', platform: 'linux' };
    for (const key of [null, gateway.key, 'svc_live_wrong']) {
      const refused = await readAnswer(gateway.call('POST', '/api/v1/enroll', { key, body }));
      assert.equal(refused.error['code'], 'invalid_enrollment_token');
    }
  });
});
