import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Json, readAnswer } from '../../support/answers.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { openDeviceSocket } from '../../support/device-socket.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('devices, while the service runs', { concurrency: 2 }, () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  test('list shows the state of each device; revoke closes the channel of a connected device', async () => {
    const key = await gateway.addDevice();
    const device = await openDeviceSocket(gateway.address, key);
    device.say({ type: 'heartbeat', agent_version: '1.0.0', proxy_restarts: 2, supervisor_state: 'gave_up' });
    await device.next('config-changed');
    const id = (await gateway.storage.keys.findForAuth(key))?.deviceId as string;
    const listed = (await commands.json(['devices', 'list']))['devices'] as Json[];
    const { state, proxy_restarts, agent_version } = listed.find((one) => one['id'] === id) as Json;
    assert.deepEqual([state, proxy_restarts, agent_version], ['gave_up', 2, '1.0.0']);
    assert.match((await commands.run(['devices', 'list'])).stdout, new RegExp(`${id} +gave_up +last seen `));

    assert.deepEqual(await commands.json(['devices', 'revoke', id]), { id, state: 'revoked' });
    assert.equal((await device.closed).code, 4001);
    const refused = await readAnswer(gateway.call('GET', '/api/v1/devices/config', { key }));
    assert.equal(refused.error['code'], 'invalid_api_key');
    await Promise.all([
      commands.refuse(['devices', 'revoke', id], /^This device is already revoked\.\n$/),
      commands.refuse(['devices', 'revoke', 'dev_none'], /^No such device\.\n$/),
    ]);
  });

  test('settings reach the devices, and settings that are not named keep their values', async () => {
    const key = await gateway.addDevice();
    const set = ['devices', 'settings', '--block-tools', 'grok.com, Poe', '--channel', 'beta', '--mode'];
    const result = await commands.json([...set, 'monitor']);
    assert.deepEqual(
      [result['blocked_tools'], result['pinned_channel'], result['mode']],
      [['grok.com', 'Poe'], 'beta', 'monitor'],
    );
    await commands.json(['devices', 'settings', '--channel', '']);
    const config = (await readAnswer(gateway.call('GET', '/api/v1/devices/config', { key }))).body;
    assert.deepEqual([config['blocked_tools'], config['mode']], [['grok.com', 'Poe'], 'monitor']);
    assert.equal((await commands.json(['devices', 'settings']))['pinned_channel'], null);
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 50 });
    assert.equal(rows.filter((row) => row.kind === 'fleet_settings_changed').length, 2);
    await commands.refuse(['devices', 'settings', '--mode', 'lax'], /Enter one of enforce, monitor/);
  });
});
