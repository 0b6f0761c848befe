import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ServiceMessage } from '@csg/shared/contract';
import { createDeviceSigner } from '../../../../apps/cloud/src/config/device-signing-key.ts';
import { decideRequest } from '../../../../apps/cloud/src/flows/approvals/decide-request.ts';
import {
  type ChannelDeps,
  createDeviceChannel,
  type DeviceChannel,
} from '../../../../apps/cloud/src/flows/devices/device-channel.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

describe('the device channel', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let faults: string[];
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  function createChannel(change: Partial<ChannelDeps> = {}): DeviceChannel {
    faults = [];
    return createDeviceChannel({
      storage: gateway.storage,
      signer: createDeviceSigner(Buffer.alloc(32)),
      clock,
      log: {
        error: (_fields, message) => void faults.push(message),
        warn: (_fields, message) => void faults.push(message),
      },
      forgetKeys: () => {},
      ...change,
    });
  }
  function join(channel: DeviceChannel, deviceId: string, projectId = gateway.account.projectId) {
    const messages: ServiceMessage[] = [];
    const ended: string[] = [];
    const leave = channel.join({
      organizationId: gateway.account.organizationId,
      projectId,
      deviceId,
      send: (message) => void messages.push(message),
      end: (why) => void ended.push(why),
    });
    return { messages, ended, leave, types: () => messages.map((message) => message.type) };
  }
  async function approve(deviceId: string | null, minutes = 10): Promise<string> {
    const { organizationId, projectId } = gateway.account;
    const { id } = await gateway.storage.requests.insert(organizationId, 'exception', {
      projectId,
      deviceId,
      requestedBy: deviceId ?? 'key_x',
      requesterUserId: null,
      destinationHost: 'chatgpt.com',
      subject: 'chatgpt.com',
      policyId: null,
      threat: null,
      reasonCategory: null,
      justification: null,
      requestedMinutes: minutes,
    });
    const admin = { organizationId, id: 'operator', userId: null };
    await decideRequest({ storage: gateway.storage }, admin, { id }, { approve: true });
    return id;
  }

  test('warns once about two devices with one credential, and not about a device that reconnects', () => {
    const channel = createChannel();
    for (let turn = 0; turn < 3; turn++) join(channel, 'dev_flaky');
    clock.advance(5 * 60_000 + 1);
    for (let turn = 0; turn < 2; turn++) join(channel, 'dev_flaky');
    for (let turn = 0; turn < 9; turn++) join(channel, 'dev_left').leave();
    assert.deepEqual(faults, []);
    const first = join(channel, 'dev_doubled');
    for (let turn = 0; turn < 8; turn++) join(channel, 'dev_doubled');
    assert.deepEqual(first.ended, ['replaced']);
    assert.deepEqual(faults, [
      'a device takes its own place again and again: its credential may be in two places',
    ]);
  });

  test('sends a decision once, and its expiry', async () => {
    const channel = createChannel();
    const device = join(channel, 'dev_a');
    const other = join(channel, 'dev_b');
    await channel.poll();
    assert.deepEqual(device.types(), []);
    await approve('dev_a', 1);
    await channel.poll();
    await channel.poll();
    assert.deepEqual(device.types(), ['exception-decided', 'config-changed']);
    clock.advance(60_000);
    await gateway.storage.requests.closeExpired();
    await channel.poll();
    assert.deepEqual(device.types().slice(2), ['exception-decided', 'config-changed']);
    const last = device.messages.findLast((message) => message.type === 'exception-decided');
    assert.equal(last?.exception.status, 'expired');
    assert.deepEqual(other.messages, [], 'a decision about another device');
    device.leave();
    other.leave();
    assert.equal(channel.size, 0);
  });

  test('notifies and disconnects a revoked device, also if another one is not connected', async () => {
    const { organizationId } = gateway.account;
    for (let nth = 0; nth < 3; nth++) await gateway.addDevice();
    const [away, here, stays] = (await gateway.storage.devices.list(organizationId)).map(({ id }) => id);
    const channel = createChannel();
    const revoked = join(channel, here!);
    const kept = join(channel, stays!);
    await channel.poll();
    clock.advance(1);
    for (const id of [away!, here!]) await gateway.storage.devices.revoke(organizationId, id);
    await channel.poll();
    assert.deepEqual([revoked.types(), revoked.ended], [['revoked'], ['revoked']]);
    assert.deepEqual([kept.messages, kept.ended, channel.size, faults], [[], [], 1, []]);
    kept.leave();
  });

  test('notifies every device of the project about an exception that a key requested', async () => {
    const channel = createChannel();
    const [one, two] = [join(channel, 'dev_c'), join(channel, 'dev_d')];
    await channel.poll();
    const id = await approve(null);
    await channel.poll();
    for (const device of [one, two]) assert.deepEqual(device.types(), ['config-changed']);
    await gateway.storage.requests.cancel(gateway.account.organizationId, id, 'operator');
    await channel.poll();
    for (const device of [one, two]) assert.deepEqual(device.types(), ['config-changed', 'config-changed']);
  });

  test('notifies a device whose heartbeat was answered with an outdated configuration', async () => {
    const channel = createChannel();
    const device = join(channel, 'dev_late');
    await channel.poll();
    channel.note('dev_late', 'pv_of_before');
    await channel.poll();
    assert.deepEqual(device.types(), ['config-changed']);
    await channel.poll();
    assert.equal(device.messages.length, 1);
    device.leave();
  });

  test('polls many projects in turns, and sends decisions without waiting for a turn', async () => {
    const { organizationId } = gateway.account;
    const channel = createChannel();
    const devices = [];
    for (let i = 0; i < 230; i++) {
      const project = await gateway.storage.projects.insert(organizationId, { name: `p${i}` });
      devices.push({ project, ...join(channel, `dev_many_${i}`, project.id) });
    }
    for (let i = 0; i < 3; i++) await channel.poll();
    const last = devices.at(-1)!;
    const id = await approve('dev_many_229');
    await channel.poll();
    assert.deepEqual(last.types(), ['exception-decided', 'config-changed']);
    await gateway.storage.requests.cancel(organizationId, id, 'operator');
    // After a decision it reads the configurations of all projects.
    await channel.poll();
    const changed = [40, 140, 228];
    for (const index of changed) {
      const { project } = devices[index]!;
      await gateway.storage.projects.update(organizationId, project.id, { failMode: 'closed' });
    }
    for (let i = 0; i < 3; i++) await channel.poll();
    for (const index of changed) assert.deepEqual(devices[index]!.types(), ['config-changed'], `${index}`);
    for (const index of [39, 41, 141, 227]) assert.deepEqual(devices[index]!.messages, [], `${index}`);
  });

  test('reports a failing poll once, never rejects, and continues with the next one', async () => {
    let isBroken = true;
    const { fleetSettings } = gateway.storage;
    const channel = createChannel({
      storage: {
        ...gateway.storage,
        fleetSettings: {
          ...fleetSettings,
          async revokedSince(...args) {
            if (isBroken) throw new Error('the database is gone');
            return fleetSettings.revokedSince(...args);
          },
        },
      },
    });
    const device = join(channel, 'dev_e');
    await channel.poll();
    await channel.poll();
    assert.equal(faults.length, 1);
    isBroken = false;
    await channel.poll();
    await approve('dev_e');
    await channel.poll();
    assert.deepEqual(device.types(), ['exception-decided', 'config-changed']);
  });
});
