import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { withinASecond } from '../../support/within-a-second.ts';

describe('plan set, while the service runs', () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway();
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  /** What the running service says within a second. */
  const limits = (perMinute: string) =>
    withinASecond(
      async () => {
        const { headers, body } = await readAnswer(gateway.call('GET', '/api/v1/usage/stats'));
        return { limit: headers.get('x-ratelimit-limit'), monthly: body['requests_limit'] };
      },
      ({ limit }) => limit === perMinute,
    );

  test('the numbers of a contract count, and those left out are the plan’s again', async () => {
    const args = ['plan', 'set', '--plan', 'enterprise', '--per-minute', '5000', '--monthly', '9000000'];
    assert.deepEqual(await commands.json([...args, '--spend-cap', '12.5']), {
      plan: 'enterprise',
      per_minute: 5000,
      monthly: 9_000_000,
      spend_cap_usd: 12.5,
    });
    assert.deepEqual(await limits('5000'), { limit: '5000', monthly: 9_000_000 });
    const ended = await commands.run(['plan', 'set', '--plan', 'SCALE']);
    assert.equal(ended.stdout, 'The account is on the scale plan now.\n');
    assert.deepEqual(await limits('600'), { limit: '600', monthly: 1_000_000 });
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, {
      kind: 'plan_changed',
    });
    assert.deepEqual(
      rows.map((row) => row.data['plan']),
      ['scale', 'enterprise'],
    );
  });

  test('refuses in a sentence what it cannot do', async () => {
    const { refuse } = commands;
    await Promise.all([
      refuse(['plan', 'set'], /required option '--plan <plan>'/),
      refuse(['plan', 'set', '--plan', 'free', '--per-minute', '0'], /whole number from 1/),
      refuse(['plan', 'set', '--plan', 'free', '--monthly', '1.5'], /whole number/),
      refuse(['plan', 'set', '--plan', 'free', '--monthly', ''], /whole number/),
      refuse(['plan', 'set', '--plan', 'free', '--spend-cap', 'much'], /amount in US dollars/),
    ]);
  });
});
