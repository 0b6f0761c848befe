import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('projects', () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());
  const names = async () =>
    ((await commands.json(['projects', 'list'])) as { projects: { name: string }[] }).projects.map(
      ({ name }) => name,
    );

  test('are listed, created with a preset, and deleted', async () => {
    const before = await names();
    const options = ['--name', 'Bot', '--use-case', 'support_bot', '--strictness', 'strict'];
    const made = await commands.json(['projects', 'create', ...options]);
    assert.deepEqual(await names(), [...before, 'Bot']);
    const project = await gateway.storage.projects.get(gateway.account.organizationId, String(made['id']));
    assert.deepEqual([project?.useCase, project?.strictnessLevel], ['support_bot', 'strict']);
    await commands.json(['projects', 'delete', String(made['id'])]);
    assert.deepEqual(await names(), before);
  });
});
