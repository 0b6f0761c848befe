import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { closeRequests } from '../../../apps/cloud/src/flows/approvals/close-requests.ts';
import { decideRequest } from '../../../apps/cloud/src/flows/approvals/decide-request.ts';
import { rowOf } from '../../../apps/cloud/src/flows/approvals/request-kinds.ts';
import { addAccount, addDeviceOf, addMember, type TestAccount } from '../../support/accounts.ts';
import { type Answer, type Json, readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const MINUTE = 60_000;
const FIELDS = [
  ...[
    'all_findings',
    'created_at',
    'decided_at',
    'decided_by',
    'decision_reason',
    'destination_host',
    'device_id',
  ],
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
  const decide = async (record: Json, verdict: object = {}, approver: object = {}) => {
    const decided = await decideRequest(
      { storage: gateway.storage },
      { organizationId: account.organizationId, id: admin.userId, userId: admin.userId, ...approver },
      { id: idOf(record), kind: 'exception' },
      { approve: true, ...verdict },
    );
    return rowOf('exception').record(decided);
  };
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

  test('default to an hour and every threat, and last a day at most', async () => {
    const requested = await ask();
    assert.deepEqual([requested['requested_minutes'], requested['threat']], [60, null]);
    assert.equal((await ask({ requested_minutes: 1440 }))['requested_minutes'], 1440);
  });

  test('are cancelled while they are active, and not once they have expired', async () => {
    const cancel = (record: Json, key = device) => call('POST', `/exceptions/${idOf(record)}/cancel`, key);
    const counting = await ask();
    await decide(counting);
    assert.equal((await cancel(counting, account.key)).body['status'], 'cancelled');
    assert.deepEqual(await list('/exceptions/active', device), []);
    const over = await ask({ requested_minutes: 1 });
    await decide(over);
    clock.advance(MINUTE);
    assert.equal((await cancel(over)).error['status'], 'expired');
  });

  test('are approved for less time than requested, but not for more', async () => {
    const requested = await ask({ requested_minutes: 30 });
    await assert.rejects(decide(requested, { minutes: 31 }), { code: 'invalid_request' });
    await assert.rejects(decide(requested, { minutes: 0 }), { code: 'invalid_request' });
    const approved = await decide(requested, { minutes: 5 });
    assert.equal(approved.expires_at, new Date(clock.now() + 5 * MINUTE).toISOString());
    await call('POST', `/exceptions/${idOf(requested)}/cancel`, device);
  });

  test('are limited to a hundred pending ones for a device', async () => {
    const busy = await addDeviceOf(gateway, account);
    await Promise.all(Array.from({ length: 100 }, () => ask({}, busy)));
    const refused = await call('POST', '/exceptions', busy, { destination_host: 'chatgpt.com' });
    assert.deepEqual([refused.status, refused.error['code']], [429, 'rate_limit_exceeded']);
    assert.equal(refused.headers.get('retry-after'), '60');
  });
});
