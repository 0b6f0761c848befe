import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRecord } from '@csg/shared/contract';
import { signInAs } from '../../../support/browser.ts';
import { startGateway } from '../../../support/gateway.ts';

test('keys see a policy in monitor mode as one that monitors, whatever its action is', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const owner = await signInAs(gateway, 'owner');
  const { projectId } = gateway.account;
  for (const [name, more] of [
    ['enforced', {}],
    ['monitored', { mode: 'monitor' }],
    ['of the project', { mode: 'enforce', project_id: projectId }],
  ] as const) {
    const body = { name, action: 'block', threat_types: ['jailbreak'], ...more };
    assert.equal((await owner.call('POST', '/policies', body)).status, 200, name);
  }
  const listed = (await (await gateway.call('GET', '/api/v1/policies')).json()) as {
    policies: PolicyRecord[];
  };
  const shown = new Map(
    listed.policies.map(({ name, action, scope }): [string, readonly string[]] => [name, [action, scope]]),
  );
  assert.deepEqual(shown.get('enforced'), ['block', 'account']);
  assert.deepEqual(shown.get('monitored'), ['monitor', 'account']);
  assert.deepEqual(shown.get('of the project'), ['block', 'project']);
});
