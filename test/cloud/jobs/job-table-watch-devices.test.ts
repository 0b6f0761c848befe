import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ServiceMessage } from '@csg/shared/contract';
import { createDeviceSigner } from '../../../apps/cloud/src/config/device-signing-key.ts';
import { decideRequest } from '../../../apps/cloud/src/flows/approvals/decide-request.ts';
import { createDeviceChannel } from '../../../apps/cloud/src/flows/devices/device-channel.ts';
import { JOBS } from '../../../apps/cloud/src/jobs/job-table.ts';
import { startJob } from '../../../apps/cloud/src/jobs/start-job.ts';
import { openAccountTestEnv } from '../../support/account-test-env.ts';
import { until } from '../../support/until.ts';

const log = {
  error: (_fields: object, message: string) => assert.fail(message),
  warn: (_fields: object, message: string) => assert.fail(message),
};

async function openChannels(t: TestContext) {
  const { storage, clock, addPerson } = await openAccountTestEnv(t);
  const { organizationId } = await addPerson();
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
  /** A channel of an instance, with a connected device; returns how many decisions it was sent, too. */
  function openChannel() {
    const signer = createDeviceSigner(Buffer.alloc(32));
    const channel = createDeviceChannel({ storage, signer, clock, log, forgetKeys: () => {} });
    const messages: ServiceMessage[] = [];
    const send = (message: ServiceMessage) => void messages.push(message);
    channel.join({ organizationId, projectId, deviceId: 'dev_a', send, end: assert.fail });
    const sent = () => messages.filter(({ type }) => type === 'exception-decided').length;
    return { channel, sent };
  }
  /** A decision by an admin, in any instance. */
  async function decide(): Promise<void> {
    const { id } = await storage.requests.insert(organizationId, 'exception', {
      ...{ projectId, deviceId: 'dev_a', requestedBy: 'dev_a', requesterUserId: null, policyId: null },
      ...{ destinationHost: 'chatgpt.com', subject: 'chatgpt.com', threat: null, reasonCategory: null },
      ...{ justification: null, requestedMinutes: 10 },
    });
    const admin = { organizationId, id: 'operator', userId: null };
    await decideRequest({ storage }, admin, { id }, { approve: true });
  }
  return { openChannel, decide };
}

test('devices are notified of each decision until the job is stopped', async (t) => {
  const { openChannel, decide } = await openChannels(t);
  const { channel, sent } = openChannel();
  const job = startJob(JOBS.notifyDevices, { channel }, log, 1);
  for (const count of [1, 2, 3]) {
    await decide();
    await until(
      async () => sent(),
      (now) => now === count,
    );
  }
  await job.stop();
});

test('decisions of other instances are sent within half a second', async (t) => {
  const { openChannel, decide } = await openChannels(t);
  const { channel, sent } = openChannel();
  t.mock.timers.enable({ apis: ['setInterval'] });
  const job = startJob(JOBS.notifyDevices, { channel }, log);
  for (const count of [1, 2]) {
    await decide();
    assert.equal(sent(), count - 1);
    t.mock.timers.tick(500);
    await until(
      async () => sent(),
      (now) => now === count,
    );
  }
  await job.stop();
  await decide();
  t.mock.timers.tick(5_000);
  const other = openChannel();
  await other.channel.poll();
  assert.deepEqual([other.sent(), sent()], [3, 2]);
});
