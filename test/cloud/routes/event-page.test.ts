import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../../support/gateway.ts';

test('the link of a block opens a page that says how to read it, and tells nothing of the event', async () => {
  const gateway = await startGateway();
  const response = await gateway.call('GET', '/dashboard/events/evt_abc123', { key: null });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /text\/html/);
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(await response.text(), /events show evt_abc123/);
  const odd = await gateway.call('GET', '/dashboard/events/%3Cscript%3E', { key: null });
  assert.ok(!(await odd.text()).includes('<script>'));
  await gateway.close();
});
