import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ownEndpointId } from '@csg/shared/contract';
import { JOBS } from '../../../../apps/cloud/src/jobs/job-table.ts';
import { startJob } from '../../../../apps/cloud/src/jobs/start-job.ts';
import { openStorage } from '../../../../apps/cloud/src/storage/open-storage.ts';
import type { Storage } from '../../../../apps/cloud/src/storage/storage.ts';
import {
  createEndpointClient,
  type EndpointClient,
} from '../../../../apps/cloud/src/webhooks/outbound/endpoint-client.ts';
import { createWebhookDispatcher } from '../../../../apps/cloud/src/webhooks/outbound/webhook-dispatcher.ts';
import { createTestEnv, MASTER_KEY } from '../../../conformance/storage-engines.ts';
import { createManualClock } from '../../../support/clock.ts';
import { neverResponds, RECEIVER_FAULTS, type ReceiverFault } from '../../../support/receiver/faults.ts';
import { type Receiver, startFaultyReceiver, startReceiver } from '../../../support/receiver/receiver.ts';
import { until } from '../../../support/until.ts';

describe('the webhook dispatcher', () => {
  const clock = createManualClock();
  let dataDir: string;
  let storage: Storage;
  let receiver: Receiver;
  const errors: string[] = [];
  const log = { error: (_fields: object, message: string) => void errors.push(message) };
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'csg-courier-'));
    storage = await openStorage({ dataDir, masterKey: MASTER_KEY, now: clock.now });
    receiver = await startReceiver();
  });
  after(async () => {
    await storage.close();
    await receiver.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.answer((response) => response.writeHead(200).end());
  });

  const sender = createEndpointClient({ allowPrivate: true, timeoutMs: 60_000 });
  async function enqueue(path: string, count: number, url = receiver.url): Promise<string> {
    const { organizationId, projectId } = await createTestEnv(storage);
    await storage.endpoints.put(organizationId, 'webhook', projectId, {
      url: `${url}${path}`,
      isEnabled: true,
    });
    const endpointId = ownEndpointId('webhook', projectId);
    const one = { endpointId, projectId, event: 'threat.blocked', payload: '{}' };
    const many = Array.from({ length: count }, (_, n) => ({ ...one, eventId: `evt_${n}` }));
    await storage.deliveries.enqueue(organizationId, many);
    return organizationId;
  }
  const arrived = (path: string) => receiver.received.filter((got) => got.path === `/hook${path}`).length;

  test('lets an endpoint that never responds delay no other endpoint', async () => {
    const open: (() => void)[] = [];
    receiver.answer((response, got) => {
      const answer = () => void response.writeHead(200).end();
      if (got.path.endsWith('dead')) open.push(answer);
      else answer();
    });
    await enqueue('/dead', 200);
    await enqueue('/well', 30);
    const dispatcher = createWebhookDispatcher({ storage, sender, clock, log });
    const delivering = startJob(JOBS.deliverWebhooks, { dispatcher }, log, 5);
    await until(
      async () => arrived('/well'),
      (count) => count === 30,
    );
    assert.equal(arrived('/dead'), 8);
    receiver.answer((response) => response.writeHead(200).end());
    for (const answer of open) answer();
    await until(
      async () => arrived('/dead'),
      (count) => count === 200,
    );
    await delivering.stop();
    assert.equal(receiver.received.length, 230, 'each once');
  });

  test(`ends deliveries to ${RECEIVER_FAULTS.length} kinds of misbehaving endpoints, delivered or failed with a reason`, async () => {
    await storage.deliveries.claim({ limit: 1_000, perEndpoint: 1_000, busy: new Map(), leaseMs: 1 });
    clock.advance(2);
    const deliveries: { fault: ReceiverFault; organizationId: string; close: () => Promise<void> }[] = [];
    const silent = new Set<string>();
    for (const fault of RECEIVER_FAULTS) {
      const { url, close } = await startFaultyReceiver(fault);
      if (neverResponds(fault)) silent.add(new URL(url).origin);
      deliveries.push({ fault, organizationId: await enqueue('', 1, url), close });
    }
    const impatient = createEndpointClient({ allowPrivate: true, timeoutMs: 1_000 });
    // Those that do respond have all the time that a busy machine takes.
    const send: EndpointClient['send'] = (post) =>
      (silent.has(new URL(post.url).origin) ? impatient : sender).send(post);
    const dispatcher = createWebhookDispatcher({ storage, sender: { send }, clock, log });
    const list = () =>
      Promise.all(
        deliveries.map(async ({ organizationId }) => (await storage.deliveries.list(organizationId))[0]!),
      );
    for (let attempt = 1; attempt <= 4; attempt++) {
      await until(
        async () => {
          await dispatcher.poll();
          return await list();
        },
        (rows) => rows.every(({ status, attempts }) => status !== 'pending' || attempts === attempt),
      );
      clock.advance(600_000);
    }
    await dispatcher.close();
    for (const [index, row] of (await list()).entries()) {
      const { fault, close } = deliveries[index]!;
      await close();
      const shown = `${fault.name}: ${row.status} ${row.lastError}`;
      if (fault.ends === 'delivered') assert.equal(row.status, 'delivered', shown);
      else {
        assert.deepEqual([row.status, row.attempts], ['failed', 4], shown);
        assert.match(row.lastError ?? '', fault.ends, shown);
      }
    }
  });

  test('completes deliveries in progress when it closes, and begins no more', async () => {
    let answer = () => {};
    receiver.answer((response) => {
      answer = () => void response.writeHead(200).end();
    });
    const organizationId = await enqueue('/slow', 1);
    const dispatcher = createWebhookDispatcher({ storage, sender, clock, log });
    await dispatcher.poll();
    await receiver.until(1);
    await enqueue('/late', 1);
    const closed = dispatcher.close();
    await dispatcher.poll();
    answer();
    await closed;
    assert.equal((await storage.deliveries.list(organizationId))[0]?.status, 'delivered');
    assert.equal(arrived('/late'), 0);
  });

  test('loses nothing while the database is unavailable, and logs that once', async () => {
    await storage.deliveries.claim({ limit: 1_000, perEndpoint: 1_000, busy: new Map(), leaseMs: 1 });
    clock.advance(2);
    const organizationId = await enqueue('/again', 1);
    const other = await openStorage({ dataDir, masterKey: MASTER_KEY, now: clock.now });
    const away = createWebhookDispatcher({ storage: other, sender, clock, log });
    await other.close();
    errors.length = 0;
    for (let look = 0; look < 3; look++) await away.poll();
    assert.deepEqual(errors, ['webhooks cannot be delivered for now']);
    const dispatcher = createWebhookDispatcher({ storage, sender, clock, log });
    await dispatcher.poll();
    await dispatcher.close();
    assert.equal((await storage.deliveries.list(organizationId))[0]?.status, 'delivered');
    assert.equal(arrived('/again'), 1);
  });
});
