import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('keys create, while the service runs', () => {
  const clock = createManualClock(Date.now());
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ clock });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  const scan = (key: string) =>
    readAnswer(gateway.call('POST', '/api/v1/security/scan', { key, body: { content: 'hello' } }));

  test('prints a key as JSON that works immediately; a new plan applies within a second', async () => {
    assert.equal((await scan(gateway.key)).headers.get('x-ratelimit-limit'), '1000');
    const made = await commands.json(['keys', 'create', '--name', 'App', '--plan', 'free']);
    assert.equal(made['organization_id'], gateway.account.organizationId);
    assert.equal(made['project_id'], gateway.account.projectId);
    assert.match(String(made['id']), /^key_/);
    assert.match(String(made['key']), /^svc_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    const first = await scan(made['key'] as string);
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('x-ratelimit-limit'), '60');
    // The service knew the other key before the plan changed.
    clock.advance(1_000);
    assert.equal((await scan(gateway.key)).headers.get('x-ratelimit-limit'), '60');
    // Contract limits stay while the plan stays, and do not follow the account to another plan.
    const { storage, account } = gateway;
    await storage.subscriptions.set(account.accountId, { perMinute: 5_000, status: 'past_due' });
    await commands.json(['keys', 'create', '--name', 'Same', '--plan', 'free']);
    assert.equal((await storage.subscriptions.get(account.accountId))?.perMinute, 5_000);
    await commands.json(['keys', 'create', '--name', 'Back', '--plan', 'enterprise']);
    const { plan, status, perMinute } = (await storage.subscriptions.get(account.accountId)) ?? {};
    assert.deepEqual([plan, status, perMinute], ['enterprise', 'active', null]);
  });

  test('creates restricted keys and keys with an expiry', async () => {
    const beganMs = Date.now();
    const [restricted, ended, ending] = await Promise.all([
      commands.json(['keys', 'create', '--name', 'R', '--permissions', 'usage, policies']),
      commands.json(['keys', 'create', '--name', 'E', '--expires-at', '2026-01-01T00:00:00Z']),
      commands.json(['keys', 'create', '--name', 'L', '--expires-at', '24h']),
    ]);
    assert.deepEqual(restricted['permissions'], ['usage', 'policies']);
    const usage = await gateway.call('GET', '/api/v1/usage/stats', { key: restricted['key'] as string });
    assert.equal(usage.status, 200);
    assert.equal((await scan(restricted['key'] as string)).error['code'], 'insufficient_scope');
    assert.equal(ended['expires_at'], '2026-01-01T00:00:00.000Z');
    assert.equal((await scan(ended['key'] as string)).error['code'], 'expired_api_key');
    assert.equal((await scan(ending['key'] as string)).status, 200);
    const madeMs = Date.parse(ending['expires_at'] as string) - 86_400_000;
    assert.ok(madeMs >= beganMs && madeMs <= Date.now(), String(ending['expires_at']));
  });

  test('prints a sentence without --json, and records the key in the audit log without its secret', async () => {
    const ended = await commands.run(['keys', 'create', '--name', 'Für Menschen']);
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /Key "Für Menschen" \(key_\w+\), shown only once:\s+svc_live_/);
    const id = /key_\w+/.exec(ended.stdout)?.[0];
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, {
      kind: 'key_created',
    });
    assert.ok(rows.some((row) => row.subject === id && row.actor === 'operator'));
    assert.ok(!JSON.stringify(rows).includes('svc_live_'));
  });
});
