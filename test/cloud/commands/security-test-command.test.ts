import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { type CommandLine, commandLine, commandProcesses } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('security-test', { concurrency: 2 }, () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  test('prints the report of run-all as JSON, adds an audit row, and exits with 0', async () => {
    const report = await commands.json(['security-test', '--preset', 'strict']);
    const { body } = await readAnswer(
      gateway.call('POST', '/api/v1/security-testing/run-all', { body: { target_preset: 'strict' } }),
    );
    assert.deepEqual(report, body);
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, {
      kind: 'security_test_run',
    });
    assert.ok(rows.some((row) => row.actor === 'operator' && row.data['target_preset'] === 'default:strict'));
  });

  test('prints a table for people, without colors when there is no terminal', async () => {
    const { code, stdout, stderr } = await commands.run(['security-test']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Preset default:moderate: \d+ attacks tested, /);
    assert.match(stdout, /^jailbreak +\d+ +\d+ +\d+ +\d+ +\d+ +0 +\d+\.\d%$/m);
    assert.match(stdout, /^total /m);
    assert.match(stdout, /^False positives: \d+ of \d+ harmless texts/m);
    assert.ok(!stdout.includes('\u001b'), 'no escape codes');
  });

  test('exits with 1 when a probe could not be run, and names it', async () => {
    const preload = new URL('../../fixtures/threads/no-engine-in-threads.mjs', import.meta.url);
    const broken = commandProcesses(gateway.dataDir, { NODE_OPTIONS: `--import=${preload}` });
    const { code, stdout } = await broken.run(['security-test']);
    assert.equal(code, 1);
    assert.match(stdout, /Could not be run \(1\):\n {2}indirect_document_long /);
  });

  test('rejects an unknown preset and lists the known ones', async () => {
    await Promise.all([
      commands.refuse(
        ['security-test', '--preset', 'permissive'],
        /Presets are default, strict, support_bot/,
      ),
      commands.refuse(['security-test', 'strict'], /too many arguments/),
    ]);
  });
});
