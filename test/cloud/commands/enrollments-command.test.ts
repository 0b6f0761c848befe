import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('enrollments create, while the service runs', () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  const enroll = (token: string) =>
    readAnswer(
      gateway.call('POST', '/api/v1/enroll', {
        key: null,
        body: { token, device_name: 'Laptop', platform: 'macos', coverage: 'proxy' },
      }),
    );

  test('creates a token that enrolls as many devices as --uses allows', async () => {
    const beganMs = Date.now();
    const made = await commands.json([
      'enrollments',
      'create',
      '--uses',
      '2',
      '--expires-in',
      '24h',
      '--label',
      'HQ',
    ]);
    assert.match(String(made['id']), /^enr_/);
    const madeMs = Date.parse(made['expires_at'] as string) - 86_400_000;
    assert.ok(madeMs >= beganMs && madeMs <= Date.now(), String(made['expires_at']));
    const token = made['token'] as string;
    const first = await enroll(token);
    assert.equal(first.status, 200, first.text);
    assert.equal(first.body['organization_id'], gateway.account.organizationId);
    assert.equal(first.body['end_user_label'], 'HQ');
    assert.equal((await enroll(token)).status, 200);
    assert.equal((await enroll(token)).error['code'], 'invalid_enrollment_token');
    const scan = await readAnswer(
      gateway.call('POST', '/api/v1/security/scan', {
        key: first.body['api_key'] as string,
        body: { content: 'hello' },
      }),
    );
    assert.equal(scan.status, 200);
  });

  test('prints sentences without --json', async () => {
    const ended = await commands.run(['enrollments', 'create']);
    assert.match(ended.stdout, /^Enrollment token for 1 device, valid until .*Z, shown only once:\s+\S+\s+$/);
  });

  test('lists a token with its state; once revoked it enrolls no device, and its devices stay enrolled', async () => {
    const made = await commands.json(['enrollments', 'create', '--uses', '2']);
    const [id, token] = [made['id'] as string, made['token'] as string];
    const device = await enroll(token);
    const state = async () => {
      const listed = (await commands.json(['enrollments', 'list']))['enrollments'] as Record<
        string,
        unknown
      >[];
      return listed.find((one) => one['id'] === id);
    };
    const open = await state();
    assert.deepEqual([open?.['state'], open?.['uses_left'], open?.['uses']], ['open', 1, 2]);
    assert.deepEqual(await commands.json(['enrollments', 'revoke', id]), { id, state: 'revoked' });
    assert.equal((await state())?.['state'], 'revoked');
    assert.equal((await enroll(token)).error['code'], 'invalid_enrollment_token');
    const key = device.body['api_key'] as string;
    assert.equal((await gateway.call('GET', '/api/v1/devices/config', { key })).status, 200);
    await commands.refuse(['enrollments', 'revoke', id], /^This enrollment is already revoked\.\n$/);
    await commands.refuse(['enrollments', 'revoke', 'enr_none'], /^No such enrollment\.\n$/);
    assert.match(
      (await commands.run(['enrollments', 'list'])).stdout,
      new RegExp(`${id} +revoked +1 of 2 uses`),
    );
  });
});
