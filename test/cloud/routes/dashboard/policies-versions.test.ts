import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PolicyDetail, PolicyVersionList } from '@csg/shared/contract';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

describe('versions of policies', () => {
  let gateway: TestGateway;
  let admin: TestBrowser;
  before(async () => {
    gateway = await startGateway();
    admin = await signInAs(gateway, 'admin');
  });
  after(() => gateway.close());

  test('are listed with what each changed, and can be restored', async () => {
    const created = await admin.call<PolicyDetail>('POST', '/policies', {
      name: 'Test',
      action: 'block',
      threat_types: ['jailbreak'],
      mode: 'monitor',
      conditions: { models: ['gpt-*'] },
    });
    const made = created.body;
    await admin.call('PATCH', `/policies/${made.id}`, {
      action: 'redact',
      mode: 'enforce',
      conditions: { models: ['gpt-*'], roles: ['user'] },
    });
    const list = async () =>
      (await admin.call<PolicyVersionList>('GET', `/policies/${made.id}/versions`)).body.versions;
    const [second, first] = await list();
    assert.deepEqual(
      [second!.version, second!.is_current, first!.version, first!.is_current],
      [2, true, 1, false],
    );
    assert.equal(typeof second!.changed_by, 'string');
    assert.deepEqual(second!.changes, [
      { field: 'action', before: 'block', after: 'redact' },
      { field: 'mode', before: 'monitor', after: null },
      { field: 'conditions.roles', before: null, after: ['user'] },
    ]);
    assert.deepEqual(first!.changes, []);
    const restored = await admin.call<PolicyDetail>('POST', `/policies/${made.id}/restore`, { version: 1 });
    assert.equal(restored.status, 200);
    const { action, mode, conditions, version } = restored.body;
    assert.deepEqual([action, mode, conditions, version], ['block', 'monitor', { models: ['gpt-*'] }, 3]);
    assert.deepEqual(
      (await list()).map((one) => one.version),
      [3, 2, 1],
    );
    assert.equal((await admin.call('POST', `/policies/${made.id}/restore`, { version: 9 })).status, 404);
    assert.equal((await admin.call('GET', '/policies/pol_none/versions')).status, 404);
  });
});
