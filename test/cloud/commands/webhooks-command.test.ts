import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('webhooks', () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir, { WEBHOOK_ALLOW_PRIVATE: 'on' });
  });
  after(() => gateway.close());

  test('are added, listed and removed', async () => {
    const made = await commands.json(['webhooks', 'add', '--url', 'http://127.0.0.1:9/hook']);
    const list = async () => (await commands.json(['webhooks', 'list']))['webhooks'] as { id: string }[];
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [made['id']],
    );
    await commands.json(['webhooks', 'remove', String(made['id'])]);
    assert.deepEqual(await list(), []);
  });
});
