/** What exceptions and tool requests have in common: who asks, who sees, who decides, and how often. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decideRequest } from '../../../apps/cloud/src/flows/approvals/decide-request.ts';
import { addAccount, addDeviceOf, addMember, type TestAccount } from '../../support/accounts.ts';
import { type Answer, type Json, readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const KINDS = [
  {
    path: '/exceptions',
    kind: 'exception',
    valid: { destination_host: 'chatgpt.com' },
    invalid: [
      {},
      { destination_host: '' },
      { destination_host: 'x'.repeat(256) },
      { destination_host: 'a', requested_minutes: 0 },
      { destination_host: 'a', requested_minutes: 1441 },
      { destination_host: 'a', requested_minutes: 1.5 },
      { destination_host: 'a', justification: 'x'.repeat(2001) },
      { destination_host: 'a', policy_id: 'x'.repeat(65) },
    ],
    rows: ['exception_cancelled', 'exception_approved', 'exception_requested'],
  },
  {
    path: '/tool-requests',
    kind: 'tool_request',
    valid: { requested_host: 'grok.com' },
    invalid: [{}, { requested_host: '' }, { requested_host: 'a', requested_name: 'x'.repeat(256) }],
    rows: ['tool_request_cancelled', 'tool_request_approved', 'tool_request_created'],
  },
] as const;

for (const { path, kind, valid, invalid, rows } of KINDS) {
  describe(`requests at ${path}`, () => {
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

    const call = (method: string, under: string, key: string, body?: object): Promise<Answer> =>
      readAnswer(gateway.call(method, `/api/v1${path}${under}`, { key, body }));
    const ask = async (key = device, body: object = {}): Promise<Json> => {
      const answer = await call('POST', '', key, { ...valid, ...body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    const idOf = (record: Json) => record['id'] as string;
    const decide = (record: Json, approve = true, approver: object = {}) =>
      decideRequest(
        { storage: gateway.storage },
        { organizationId: account.organizationId, id: admin.userId, userId: admin.userId, ...approver },
        { id: idOf(record), kind },
        { approve, reason: 'because' },
      );
    const cancel = (record: Json, key = device) => call('POST', `/${idOf(record)}/cancel`, key);
    const listed = async (key: string, query = '') =>
      (JSON.parse((await call('GET', query, key)).text) as Json[]).map(idOf);
    const kindsOf = async (record: Json) =>
      (await gateway.storage.audit.page(account.organizationId, { limit: 200 })).rows
        .filter(({ subject }) => subject === idOf(record))
        .map(({ kind }) => kind);

    test('are rejected with a 422 if a field is invalid', async () => {
      for (const body of invalid) {
        const { status } = await call('POST', '', device, body);
        assert.equal(status, 422, JSON.stringify(body).slice(0, 80));
      }
    });

    test('are decided with a reason, and cancelled while pending or approved; after that it is a 409', async () => {
      const requested = await ask();
      const approved = await decide(requested);
      assert.deepEqual(
        [approved.status, approved.decidedBy, approved.decisionReason],
        ['approved', admin.userId, 'because'],
      );
      assert.equal((await cancel(requested)).body['status'], 'cancelled');
      const again = await cancel(requested);
      assert.deepEqual(
        [again.status, again.error['code'], again.error['status']],
        [409, 'invalid_state', 'cancelled'],
      );
      assert.deepEqual(await kindsOf(requested), rows);

      const pending = await ask();
      assert.equal((await cancel(pending)).body['status'], 'cancelled');
      await assert.rejects(decide(pending), { code: 'invalid_state' });
      const denied = await ask();
      assert.equal((await decide(denied, false)).status, 'denied');
      assert.equal((await cancel(denied)).error['code'], 'invalid_state');
      assert.equal((await cancel({ id: 'exc_none' })).error['code'], 'not_found');
    });

    test('are decided once if admins decide concurrently; the others get an error', async () => {
      const requested = await ask();
      const outcomes = await Promise.allSettled([
        decide(requested),
        decide(requested, false),
        decide(requested),
      ]);
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      assert.equal(lost.length, 2);
      for (const { reason } of lost) assert.equal((reason as { code: string }).code, 'invalid_state');
      assert.equal((await kindsOf(requested)).length, 2, 'its request and one decision');
    });

    test('are decided by admins only, and never by their requester', async () => {
      const own = await ask(admin.key);
      assert.equal(own['requested_by'], admin.userId);
      await assert.rejects(decide(own), { code: 'insufficient_role', message: /your own/ });
      const member = await addMember(gateway, account, 'member');
      const byMember = { id: member.userId, userId: member.userId };
      await assert.rejects(decide(own, true, byMember), { code: 'insufficient_role' });
      const stranger = await addAccount(gateway, { plan: 'free' });
      const byStranger = { id: stranger.accountId, userId: stranger.accountId };
      await assert.rejects(decide(own, true, byStranger), { code: 'insufficient_role' });
      const { organizationId } = stranger;
      await assert.rejects(decide(own, true, { ...byStranger, organizationId }), { code: 'not_found' });
      const owner = { id: account.accountId, userId: account.accountId };
      assert.equal((await decide(own, true, owner)).status, 'approved');
      // A device that is bound to a person asks in their name.
      const { token } = await gateway.storage.enrollments.create(account.organizationId, {
        projectId: account.projectId,
        createdBy: admin.userId,
      });
      const body = { token, device_name: "The admin's own laptop", platform: 'macos' };
      const enrolled = await readAnswer(gateway.call('POST', '/api/v1/enroll', { key: null, body }));
      const theirs = await ask(enrolled.body['api_key'] as string);
      await assert.rejects(decide(theirs), { code: 'insufficient_role', message: /your own/ });
    });

    test('are visible to their device and to keys of the organization, and to no others', async () => {
      const other = await addDeviceOf(gateway, account);
      const mine = await ask();
      const theirs = await ask(other);
      const own = await listed(device);
      assert.ok(own.includes(idOf(mine)) && !own.includes(idOf(theirs)));
      assert.deepEqual(await listed(other), [idOf(theirs)]);
      const all = await listed(account.key);
      assert.ok(all.includes(idOf(mine)) && all.includes(idOf(theirs)));
      assert.ok((await listed(account.key, '?status=pending')).includes(idOf(mine)));
      assert.ok(!(await listed(account.key, '?status=denied')).includes(idOf(mine)));
      assert.equal((await call('GET', '?status=odd', device)).status, 422);
      assert.deepEqual(await listed(gateway.key), []);
      for (const [method, under] of [
        ['GET', `/${idOf(mine)}`],
        ['POST', `/${idOf(mine)}/cancel`],
      ] as const) {
        for (const key of [other, gateway.key]) {
          const answer = await call(method, under, key);
          const nowhere = await call(method, under.replace(idOf(mine), 'exc_nowhere'), key);
          assert.deepEqual([answer.status, answer.text], [404, nowhere.text]);
        }
      }
    });

    test('can be requested with a viewer’s key, which cancels only those of the same person', async () => {
      const viewer = await addMember(gateway, account, 'viewer');
      const own = await ask(viewer.key);
      const refused = await cancel(await ask(), viewer.key);
      assert.deepEqual([refused.status, refused.error['code']], [403, 'insufficient_role']);
      assert.equal((await cancel(own, viewer.key)).status, 200);
    });
  });
}

test('a tool request has these members, and its name and reason', async () => {
  const gateway = await startGateway();
  try {
    const device = await gateway.addDevice();
    const body = { requested_host: 'grok.com', requested_name: 'Grok', justification: 'a trial' };
    const requested = await readAnswer(gateway.call('POST', '/api/v1/tool-requests', { key: device, body }));
    assert.deepEqual(Object.keys(requested.body).sort(), [
      ...['created_at', 'decided_at', 'decided_by', 'decision_reason', 'device_id', 'id', 'justification'],
      ...['pending_until', 'requested_by', 'requested_host', 'requested_name', 'status'],
    ]);
    assert.deepEqual([requested.body['status'], requested.body['requested_name']], ['pending', 'Grok']);
  } finally {
    await gateway.close();
  }
});
