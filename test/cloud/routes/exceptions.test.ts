import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { closeRequests } from '../../../apps/cloud/src/flows/approvals/close-requests.ts';
import { decideException } from '../../../apps/cloud/src/flows/approvals/decide-exception.ts';
import { addAccount, addDeviceOf, addMember, type TestAccount } from '../../support/accounts.ts';
import { type Answer, type Json, readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const MINUTE = 60_000;
const FIELDS = [
  ...['created_at', 'decided_at', 'decided_by', 'decision_reason', 'destination_host', 'device_id'],
  ...['expires_at', 'id', 'justification', 'pending_until', 'policy_id', 'reason_category', 'requested_by'],
  ...['requested_minutes', 'starts_at', 'status', 'threat'],
];

describe('exceptions', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let account: TestAccount;
  let device: string;
  let admin: { readonly userId: string; readonly key: string };
  before(async () => {
    gateway = await startGateway({ clock });
    account = await addAccount(gateway, { plan: 'enterprise', perMinute: 1_000_000 });
    device = await addDeviceOf(gateway, account);
    admin = await addMember(gateway, account, 'admin');
  });
  after(() => gateway.close());

  const call = (method: string, path: string, key: string, body?: object): Promise<Answer> =>
    readAnswer(gateway.call(method, `/api/v1${path}`, { key, body }));
  const ask = async (body: object = {}, key = device): Promise<Json> => {
    const answer = await call('POST', '/exceptions', key, { destination_host: 'chatgpt.com', ...body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const idOf = (record: Json) => record['id'] as string;
  const decide = (record: Json, verdict: object = {}, approver: object = {}) =>
    decideException(
      { storage: gateway.storage },
      { organizationId: account.organizationId, id: admin.userId, userId: admin.userId, ...approver },
      idOf(record),
      { approve: true, ...verdict },
    );
  const list = async (path: string, key: string) => JSON.parse((await call('GET', path, key)).text) as Json[];
  const audit = async (record: Json) =>
    (await gateway.storage.audit.page(account.organizationId, { limit: 200 })).rows.filter(
      (row) => row.subject === idOf(record),
    );

  test('are requested, approved by another person, apply, and expire', async () => {
    const requested = await ask({
      threat: 'pii_leak',
      reason_category: 'testing',
      justification: 'made-up names',
      policy_id: null,
      requested_minutes: 30,
    });
    assert.deepEqual(Object.keys(requested).sort(), FIELDS);
    assert.deepEqual(
      [
        requested['status'],
        requested['threat'],
        requested['policy_id'],
        requested['requested_minutes'],
        requested['expires_at'],
      ],
      ['pending', 'pii_leak', null, 30, null],
    );
    assert.deepEqual(await list('/exceptions/active', device), []);
    clock.advance(MINUTE);
    const approved = await decide(requested, { reason: 'fine' });
    assert.deepEqual(
      [
        approved.status,
        approved.decided_by,
        approved.decision_reason,
        approved.starts_at,
        approved.expires_at,
      ],
      [
        'approved',
        admin.userId,
        'fine',
        new Date(clock.now()).toISOString(),
        new Date(clock.now() + 30 * MINUTE).toISOString(),
      ],
    );
    assert.deepEqual(await list('/exceptions/active', device), [approved]);
    clock.advance(30 * MINUTE);
    assert.deepEqual(await list('/exceptions/active', device), []);
    const over = await call('GET', `/exceptions/${idOf(requested)}`, device);
    assert.equal(over.body['status'], 'expired');
    const kinds = async () => (await audit(requested)).map((row) => row.kind);
    // The gateway's own job may have recorded the expiry already.
    const before = (await kinds()).filter((kind) => kind !== 'exception_expired');
    assert.deepEqual(before, ['exception_approved', 'exception_requested']);
    await closeRequests({ storage: gateway.storage });
    await closeRequests({ storage: gateway.storage });
    assert.deepEqual(await kinds(), ['exception_expired', 'exception_approved', 'exception_requested']);
    const rows = JSON.stringify(await audit(requested));
    assert.ok(!rows.includes('made-up'), 'the justification is not in the audit log');
  });

  test('record hosts and ids in the audit log, and nothing else that a caller wrote', async () => {
    const requested = await ask({ destination_host: 'ask Ana Lopez', policy_id: 'pol_1', threat: 'Ana, 42' });
    assert.equal(requested['destination_host'], 'ask Ana Lopez');
    const [row] = await audit(requested);
    const { destination_host, policy_id, threat } = row?.data ?? {};
    assert.deepEqual([destination_host, policy_id, threat], [null, 'pol_1', null]);
    const plain = await ask({ destination_host: 'ChatGPT.com:443' });
    assert.equal((await audit(plain))[0]?.data['destination_host'], 'ChatGPT.com:443');
  });

  test('default to an hour and every threat, and keep to their limits', async () => {
    const requested = await ask();
    assert.deepEqual([requested['requested_minutes'], requested['threat']], [60, null]);
    assert.equal((await ask({ requested_minutes: 1440 }))['requested_minutes'], 1440);
    for (const body of [
      {},
      { destination_host: '' },
      { destination_host: 'x'.repeat(256) },
      { destination_host: 'a', requested_minutes: 0 },
      { destination_host: 'a', requested_minutes: 1441 },
      { destination_host: 'a', requested_minutes: 1.5 },
      { destination_host: 'a', justification: 'x'.repeat(2001) },
      { destination_host: 'a', policy_id: 'x'.repeat(65) },
    ]) {
      const answer = await call('POST', '/exceptions', device, body);
      assert.equal(answer.status, 422, JSON.stringify(body).slice(0, 80));
    }
  });

  test('are cancelled while they are pending or active; after that it is a 409', async () => {
    const cancel = (record: Json, key = device) => call('POST', `/exceptions/${idOf(record)}/cancel`, key);
    const pending = await ask();
    const cancelled = await cancel(pending);
    assert.deepEqual([cancelled.status, cancelled.body['status']], [200, 'cancelled']);
    const again = await cancel(pending);
    assert.deepEqual(
      [again.status, again.error['code'], again.error['status']],
      [409, 'invalid_state', 'cancelled'],
    );
    await assert.rejects(decide(pending), { code: 'invalid_state' });

    const counting = await ask();
    await decide(counting);
    assert.equal(
      (await cancel(counting, account.key)).body['status'],
      'cancelled',
      'an active one can be cancelled',
    );
    assert.deepEqual(await list('/exceptions/active', device), []);

    const denied = await ask();
    assert.equal((await decide(denied, { approve: false, reason: 'no' })).status, 'denied');
    assert.equal((await cancel(denied)).error['code'], 'invalid_state');
    const over = await ask({ requested_minutes: 1 });
    await decide(over);
    clock.advance(MINUTE);
    assert.equal((await cancel(over)).error['status'], 'expired');
    assert.equal((await cancel({ id: 'exc_none' })).error['code'], 'not_found');
    assert.deepEqual(
      (await audit(counting)).map((row) => row.kind),
      ['exception_cancelled', 'exception_approved', 'exception_requested'],
    );
  });

  test('are decided by admins only, and never by their requester', async () => {
    const own = await ask({}, admin.key);
    assert.equal(own['requested_by'], admin.userId);
    await assert.rejects(decide(own), { code: 'insufficient_role', message: /your own/ });
    const member = await addMember(gateway, account, 'member');
    await assert.rejects(decide(own, {}, { id: member.userId, userId: member.userId }), {
      code: 'insufficient_role',
    });
    const stranger = await addAccount(gateway, { plan: 'free' });
    const byStranger = { id: stranger.accountId, userId: stranger.accountId };
    await assert.rejects(decide(own, {}, byStranger), { code: 'insufficient_role' });
    await assert.rejects(decide(own, {}, { ...byStranger, organizationId: stranger.organizationId }), {
      code: 'not_found',
    });
    const owner = { id: account.accountId, userId: account.accountId };
    assert.equal((await decide(own, {}, owner)).status, 'approved');
    await call('POST', `/exceptions/${idOf(own)}/cancel`, admin.key);
    // A device that is bound to a person asks in their name.
    const { token } = await gateway.storage.enrollments.create(account.organizationId, {
      projectId: account.projectId,
      createdBy: admin.userId,
    });
    const enrolled = await readAnswer(
      gateway.call('POST', '/api/v1/enroll', {
        key: null,
        body: { token, device_name: "The admin's own laptop", platform: 'macos' },
      }),
    );
    const theirs = await ask({}, enrolled.body['api_key'] as string);
    await assert.rejects(decide(theirs), { code: 'insufficient_role', message: /your own/ });
  });

  test('are decided once if admins decide concurrently; the others get an error', async () => {
    const requested = await ask();
    const outcomes = await Promise.allSettled([
      decide(requested),
      decide(requested, { approve: false }),
      decide(requested),
    ]);
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(lost.length, 2);
    for (const { reason } of lost) assert.equal((reason as { code: string }).code, 'invalid_state');
    const decisions = (await audit(requested)).filter((row) => row.kind !== 'exception_requested');
    assert.equal(decisions.length, 1);
  });

  test('are approved for less time than requested, but not for more', async () => {
    const requested = await ask({ requested_minutes: 30 });
    await assert.rejects(decide(requested, { minutes: 31 }), { code: 'invalid_request' });
    await assert.rejects(decide(requested, { minutes: 0 }), { code: 'invalid_request' });
    const approved = await decide(requested, { minutes: 5 });
    assert.equal(approved.expires_at, new Date(clock.now() + 5 * MINUTE).toISOString());
    await call('POST', `/exceptions/${idOf(requested)}/cancel`, device);
  });

  test('are visible to their device and to keys of the organization, and to no others', async () => {
    const other = await addDeviceOf(gateway, account);
    const mine = await ask();
    const theirs = await ask({}, other);
    const ids = async (key: string) => (await list('/exceptions', key)).map(idOf);
    assert.ok((await ids(device)).includes(idOf(mine)) && !(await ids(device)).includes(idOf(theirs)));
    assert.deepEqual(await ids(other), [idOf(theirs)]);
    const all = await ids(account.key);
    assert.ok(all.includes(idOf(mine)) && all.includes(idOf(theirs)));
    for (const [method, path] of [
      ['GET', `/exceptions/${idOf(mine)}`],
      ['POST', `/exceptions/${idOf(mine)}/cancel`],
    ] as const) {
      for (const key of [other, gateway.key]) {
        const answer = await call(method, path, key);
        const nowhere = await call(method, path.replace(idOf(mine), 'exc_nowhere'), key);
        assert.deepEqual([answer.status, answer.text], [404, nowhere.text]);
      }
    }
    assert.deepEqual(await list('/exceptions', gateway.key), []);
    const statuses = (await list('/exceptions?status=denied', account.key)).map((one) => one['status']);
    assert.deepEqual([...new Set(statuses)], ['denied']);
    assert.equal((await call('GET', '/exceptions?status=odd', device)).status, 422);
  });

  test('can be requested with a viewer’s key, which cancels only those of the same person', async () => {
    const viewer = await addMember(gateway, account, 'viewer');
    const own = await ask({}, viewer.key);
    const foreign = await ask();
    const refused = await call('POST', `/exceptions/${idOf(foreign)}/cancel`, viewer.key);
    assert.deepEqual([refused.status, refused.error['code']], [403, 'insufficient_role']);
    assert.equal((await call('POST', `/exceptions/${idOf(own)}/cancel`, viewer.key)).status, 200);
  });

  test('are limited to a hundred pending ones for a device', async () => {
    const busy = await addDeviceOf(gateway, account);
    await Promise.all(Array.from({ length: 100 }, () => ask({}, busy)));
    const refused = await call('POST', '/exceptions', busy, { destination_host: 'chatgpt.com' });
    assert.deepEqual([refused.status, refused.error['code']], [429, 'rate_limit_exceeded']);
    assert.equal(refused.headers.get('retry-after'), '60');
  });
});
