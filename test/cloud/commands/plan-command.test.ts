import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAccount } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('plan set, while the service runs', () => {
  const clock = createManualClock(Date.now());
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ clock });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  /** The limits that the running service reports a second later. */
  const limits = async () => {
    clock.advance(1_000);
    const { headers, body } = await readAnswer(gateway.call('GET', '/api/v1/usage/stats'));
    return { limit: headers.get('x-ratelimit-limit'), monthly: body['requests_limit'] };
  };

  test('sets the limits of a contract, and resets those left out to the plan’s', async () => {
    const args = ['plan', 'set', '--plan', 'enterprise', '--per-minute', '5000', '--monthly', '9000000'];
    assert.deepEqual(await commands.json([...args, '--spend-cap', '12.5']), {
      plan: 'enterprise',
      per_minute: 5000,
      monthly: 9_000_000,
      spend_cap_usd: 12.5,
      status: 'active',
    });
    assert.deepEqual(await limits(), { limit: '5000', monthly: 9_000_000 });
    const ended = await commands.run(['plan', 'set', '--plan', 'SCALE']);
    assert.equal(ended.stdout, 'The account is now on the scale plan.\n');
    assert.deepEqual(await limits(), { limit: '600', monthly: 1_000_000 });
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, {
      kind: 'plan_changed',
    });
    assert.deepEqual(
      rows.map((row) => row.data['plan']),
      ['scale', 'enterprise'],
    );
  });

  test('"Subscription status": past_due, canceled and none stop counted requests within a second, active resumes them', async () => {
    const scan = () =>
      readAnswer(gateway.call('POST', '/api/v1/security/scan', { body: { content: 'hello' } }));
    for (const status of ['past_due', 'canceled', 'none']) {
      const result = await commands.json(['plan', 'set', '--status', status]);
      assert.deepEqual([result['plan'], result['status']], ['scale', status]);
      clock.advance(1_000);
      const refused = await scan();
      assert.deepEqual([refused.status, refused.error['subscription_status']], [429, status]);
      assert.equal(refused.error['code'], 'subscription_inactive');
      assert.match(String(refused.error['reactivate_url']), /^http/);
      assert.equal('retry_after' in refused.error, false);
      assert.equal(refused.headers.get('retry-after'), null);
      assert.equal(
        (await gateway.call('GET', '/api/v1/api-keys')).status,
        200,
        'requests that are not counted continue',
      );
    }
    await commands.json(['plan', 'set', '--status', 'active']);
    clock.advance(1_000);
    assert.equal((await scan()).status, 200);
    const both = await commands.run(['plan', 'set', '--plan', 'pro', '--status', 'past_due']);
    assert.equal(both.stdout, 'The account is now on the pro plan, and its subscription is past_due.\n');
    const again = await commands.json(['plan', 'set', '--plan', 'pro']);
    assert.equal(again['status'], 'active', 'the status is active unless one is named');
    const [row] = (await gateway.storage.audit.page(gateway.account.organizationId, { kind: 'plan_changed' }))
      .rows;
    assert.deepEqual([row?.actor, row?.data['status']], ['operator', 'active']);
  });

  test('suspends the account that --email names, and not the operator’s own', async () => {
    const other = await addAccount(gateway, { plan: 'pro', perMinute: 7 });
    const { email } = (await gateway.storage.users.get(other.accountId))!;
    await commands.json(['plan', 'set', '--status', 'canceled', '--email', email.toUpperCase()]);
    const {
      accountId: _,
      onDemand: __,
      ...now
    } = (await gateway.storage.subscriptions.get(other.accountId))!;
    assert.deepEqual(now, {
      plan: 'pro',
      status: 'canceled',
      perMinute: 7,
      monthly: null,
      spendCapUsd: null,
    });
    const { rows } = await gateway.storage.audit.page(other.organizationId, { kind: 'plan_changed' });
    assert.deepEqual(
      rows.map(({ subject, data }) => [subject, data['status']]),
      [[other.accountId, 'canceled']],
    );
    assert.equal(
      (await gateway.call('GET', '/api/v1/usage/stats')).status,
      200,
      'the operator’s own account continues',
    );
  });
});
