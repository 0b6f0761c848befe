import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('repositories, while the service runs', () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  test('binds, lists and unbinds a repository', async () => {
    const bound = { repository: 'acme/shop', project_id: gateway.account.projectId };
    assert.deepEqual(await commands.json(['repositories', 'bind', 'Acme/Shop']), bound);
    assert.deepEqual(await commands.json(['repositories', 'list']), { repositories: [bound] });
    await commands.refuse(['repositories', 'bind', 'acme'], /^Name the repository as owner\/name\.\n$/);
    await commands.json(['repositories', 'unbind', 'acme/shop']);
    await commands.refuse(
      ['repositories', 'unbind', 'acme/shop'],
      /^This repository is not bound to a project of yours\.\n$/,
    );
    assert.match((await commands.run(['repositories', 'list'])).stdout, /^No repositories are bound\.\n$/);
  });
});
