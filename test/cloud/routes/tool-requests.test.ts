import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decideToolRequest } from '../../../apps/cloud/src/flows/approvals/tool-requests.ts';
import { addAccount, addDeviceOf, addMember, type TestAccount } from '../../support/accounts.ts';
import { type Answer, type Json, readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('tool requests', () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let device: string;
  let admin: { readonly userId: string; readonly key: string };
  before(async () => {
    gateway = await startGateway();
    account = await addAccount(gateway, { plan: 'enterprise', perMinute: 1_000_000 });
    device = await addDeviceOf(gateway, account);
    admin = await addMember(gateway, account, 'admin');
  });
  after(() => gateway.close());

  const call = (method: string, path: string, key: string, body?: object): Promise<Answer> =>
    readAnswer(gateway.call(method, `/api/v1/tool-requests${path}`, { key, body }));
  const ask = async (key = device, body: object = {}): Promise<Json> => {
    const answer = await call('POST', '', key, { requested_host: 'grok.com', ...body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const decide = (record: Json, approve: boolean, approver: object = {}) =>
    decideToolRequest(
      { storage: gateway.storage },
      { organizationId: account.organizationId, id: admin.userId, userId: admin.userId, ...approver },
      record['id'] as string,
      { approve, reason: 'because' },
    );
  const cancel = (record: Json, key = device) => call('POST', `/${record['id']}/cancel`, key);
  const listed = async (key: string, query = '') =>
    (JSON.parse((await call('GET', query, key)).text) as Json[]).map((one) => one['id']);

  test('are requested, decided by another person, and can be cancelled', async () => {
    const requested = await ask(device, { requested_name: 'Grok', justification: 'a trial' });
    assert.deepEqual(Object.keys(requested).sort(), [
      ...['created_at', 'decided_at', 'decided_by', 'decision_reason', 'device_id', 'id', 'justification'],
      ...['pending_until', 'requested_by', 'requested_host', 'requested_name', 'status'],
    ]);
    assert.deepEqual([requested['status'], requested['requested_name']], ['pending', 'Grok']);
    const approved = await decide(requested, true);
    assert.deepEqual(
      [approved.status, approved.decided_by, approved.decision_reason],
      ['approved', admin.userId, 'because'],
    );
    await assert.rejects(decide(requested, false), { code: 'invalid_state' });
    assert.equal((await cancel(requested)).body['status'], 'cancelled');
    const again = await cancel(requested);
    assert.deepEqual([again.status, again.error['code']], [409, 'invalid_state']);
    const { rows } = await gateway.storage.audit.page(account.organizationId, { limit: 50 });
    assert.deepEqual(
      rows.filter((row) => row.subject === requested['id']).map((row) => row.kind),
      ['tool_request_cancelled', 'tool_request_approved', 'tool_request_created'],
    );
  });

  test('cannot be cancelled once they are denied', async () => {
    const requested = await ask();
    assert.equal((await decide(requested, false)).status, 'denied');
    assert.equal((await cancel(requested)).error['code'], 'invalid_state');
  });

  test('cannot be decided by their requester', async () => {
    const own = await ask(admin.key);
    await assert.rejects(decide(own, true), { code: 'insufficient_role', message: /your own/ });
    assert.equal(
      (await decide(own, true, { id: account.accountId, userId: account.accountId })).status,
      'approved',
    );
  });

  test('are visible to their device and to keys of the organization, and to no others', async () => {
    const other = await addDeviceOf(gateway, account);
    const mine = await ask();
    const theirs = await ask(other);
    assert.deepEqual(await listed(other), [theirs['id']]);
    assert.ok((await listed(account.key)).includes(mine['id']));
    assert.ok(!(await listed(device)).includes(theirs['id']));
    assert.deepEqual(await listed(gateway.key), []);
    assert.ok((await listed(account.key, '?status=pending')).includes(mine['id']));
    for (const key of [other, gateway.key]) {
      assert.deepEqual([(await cancel(mine, key)).status], [404]);
    }
  });

  test('are rejected with a 422 if a field is invalid', async () => {
    for (const body of [
      {},
      { requested_host: '' },
      { requested_host: 'a', requested_name: 'x'.repeat(256) },
    ]) {
      assert.equal((await call('POST', '', device, body)).status, 422);
    }
  });
});
