import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createManualClock } from '../../support/clock.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('keys list, rotate and revoke, while the service runs', () => {
  const clock = createManualClock(Date.now());
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ clock });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());
  const status = async (key: string) =>
    (await gateway.call('POST', '/api/v1/security/scan', { key, body: { content: 'hello' } })).status;

  test('lists a key without its secret, rotates it with a grace period, and revokes it', async () => {
    const made = await commands.json(['keys', 'create', '--name', 'App']);
    await gateway.addDevice();
    const { keys } = (await commands.json(['keys', 'list'])) as { keys: { id: string; name: string }[] };
    assert.deepEqual(keys.map(({ name }) => name).sort(), ['App', 'test']);
    assert.ok(!JSON.stringify(keys).includes(String(made['key'])));
    const rotated = await commands.json(['keys', 'rotate', String(made['id']), '--grace-minutes', '5']);
    assert.notEqual(rotated['key'], made['key']);
    assert.deepEqual([await status(String(rotated['key'])), await status(String(made['key']))], [200, 200]);
    await commands.json(['keys', 'revoke', String(rotated['id'])]);
    clock.advance(1_000);
    assert.equal(await status(String(rotated['key'])), 401);
  });
});
