import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('enrolling a device', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  type Input = Parameters<TestGateway['storage']['enrollments']['create']>[1];
  const newToken = async (input: Input = {}) => {
    const { organizationId, projectId } = gateway.account;
    return (await gateway.storage.enrollments.create(organizationId, { projectId, ...input })).token;
  };
  const enroll = (token: string, platform = 'linux', more: object = {}) =>
    readAnswer(
      gateway.call('POST', '/api/v1/enroll', {
        key: null,
        body: { token, device_name: 'Laptop', platform, coverage: 'proxy', ...more },
      }),
    );
  const assertRefused = async (asked: ReturnType<typeof enroll>, why: string) => {
    const refused = await asked;
    assert.equal(refused.status, 401, why);
    assert.equal(refused.error['code'], 'invalid_enrollment_token');
    assert.equal(refused.error['type'], 'authentication_error');
  };

  test('returns everything that the device needs', async () => {
    const { body, status } = await enroll(await newToken({ label: 'Reception' }), 'windows', {
      end_user_id: 'ada',
    });
    assert.equal(status, 200);
    for (const field of [
      'api_key',
      'project_id',
      'device_id',
      'organization_id',
      'enforced',
      'mode',
      'fail_closed',
      'end_user_label',
      'account_name',
      'account_type',
    ]) {
      assert.ok(field in body, field);
    }
    assert.match(String(body['api_key']), /^svc_live_/);
    assert.equal(body['end_user_label'], 'ada');
    assert.equal(body['account_type'], 'personal');
    assert.equal(body['fail_closed'], false);
  });

  test('says whether the project fails closed; without a project nothing does', async () => {
    const { organizationId } = gateway.account;
    const closed = await gateway.storage.projects.insert(organizationId, { name: 'C', failMode: 'closed' });
    for (const [projectId, isClosed] of [
      [closed.id, true],
      [null, false],
    ] as const) {
      const { body } = await enroll(await newToken({ projectId }));
      assert.deepEqual([body['project_id'], body['fail_closed']], [projectId, isClosed]);
    }
  });

  test('succeeds for 5 of 20 devices that race for a token of 5 uses', async () => {
    const token = await newToken({ uses: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => enroll(token)));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 5);
    assert.equal(answers.filter((answer) => answer.status === 401).length, 15);
    const ids = new Set(answers.flatMap((answer) => answer.body['device_id'] ?? []));
    assert.equal(ids.size, 5);
  });

  test('rejects a wrong, a spent and a revoked token and one of another platform alike', async () => {
    await assertRefused(enroll('svc_enroll_wrong'), 'wrong');
    const once = await newToken();
    assert.equal((await enroll(once)).status, 200);
    await assertRefused(enroll(once), 'spent');
    const macs = await newToken({ platform: 'macos', uses: 2 });
    await assertRefused(enroll(macs, 'linux'), 'platform');
    assert.equal((await enroll(macs, 'macos')).status, 200, 'a rejection spends nothing');
    const { organizationId } = gateway.account;
    const { enrollment, token } = await gateway.storage.enrollments.create(organizationId, { uses: 9 });
    await gateway.storage.enrollments.revoke(organizationId, enrollment.id);
    await assertRefused(enroll(token), 'revoked');
  });

  test('accepts a token until the millisecond of its expiry', async () => {
    const token = await newToken({ uses: 2, expiresAtMs: clock.now() + 1_000 });
    clock.advance(999);
    assert.equal((await enroll(token)).status, 200);
    clock.advance(1);
    await assertRefused(enroll(token), 'expired');
  });

  test('rejects invalid input with a 422 and spends nothing', async () => {
    const token = await newToken();
    for (const more of [{ platform: 'beos' }, { device_name: 'x'.repeat(256) }, { coverage: 'some' }]) {
      assert.equal((await enroll(token, 'linux', more)).status, 422, JSON.stringify(more));
    }
    assert.equal((await enroll(token)).status, 200);
  });
});
