import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  type ControlClient,
  connectControl,
} from '../../../../apps/desktop/src/agent/control/control-client.ts';
import { openControlServer } from '../../../../apps/desktop/src/agent/control/control-server.ts';
import { serviceRequests } from '../../../../apps/desktop/src/agent/service/service-requests.ts';
import {
  createServiceClient,
  type ServiceClient,
} from '../../../../apps/desktop/src/cloud-client/service-client.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { HANG_LIMIT_MS } from '../../../support/until.ts';

let gateway: TestGateway;
let service: ServiceClient | null = null;
let control: ControlClient;
let close = async (): Promise<void> => {};

before(async () => {
  gateway = await startGateway();
  const server = await openControlServer({
    ...serviceRequests(() => service),
    status: () => {
      throw new Error('Not asked here.');
    },
    recent: () => [],
    sight: () => null,
    'try-again': () => null,
    stop: () => null,
  });
  const file = path.join(tempFolder('requests'), 'control.json');
  writeFileSync(file, JSON.stringify(server.address));
  const connected = await connectControl(file);
  assert.ok(connected !== null);
  control = connected;
  close = async () => {
    control.close();
    await server.close();
    await service?.close();
    await gateway.close();
  };
});
after(() => close());

test('an agent that is still starting says so', async () => {
  await assert.rejects(control.call('requests'), /^Error: The agent is starting\. Try again in a moment\.$/);
});

test('requests are submitted, listed and cancelled, over the channel and a real service', async () => {
  service = createServiceClient({
    url: gateway.address,
    apiKey: await gateway.addDevice(),
    deadlineMs: HANG_LIMIT_MS,
  });
  assert.deepEqual(await control.call('requests'), { exceptions: [], tool_requests: [] });
  const asked = await control.call('request-exception', {
    destination_host: 'chatgpt.com',
    threat: 'pii_leak',
    requested_minutes: 30,
    justification: 'Made-up names.',
    event_id: 'evt_blocked_here',
  });
  assert.deepEqual([asked.status, asked.requested_minutes, asked.threat], ['pending', 30, 'pii_leak']);
  const tool = await control.call('request-tool', { requested_host: 'grok.com', requested_name: 'Grok' });
  const stored = await gateway.storage.requests.get(gateway.account.organizationId, asked.id, 'exception');
  assert.equal(stored?.eventId, 'evt_blocked_here', 'the approver sees the event');
  const listed = await control.call('requests');
  assert.deepEqual(listed, { exceptions: [asked], tool_requests: [tool] });
  assert.equal((await control.call('cancel-request', { id: asked.id })).status, 'cancelled');
  assert.equal((await control.call('cancel-request', { id: tool.id })).status, 'cancelled');
});

test('invalid requests are rejected in one sentence, by the agent or by the service', async () => {
  const wrong = control.call('request-exception', { destination_host: 'chatgpt.com', requested_minutes: 0 });
  await assert.rejects(wrong, /^Error: requested_minutes must be >= 1\.$/);
  await assert.rejects(control.call('request-tool', null as never), /^Error: The request must be object\.$/);
  const [{ id } = { id: '' }] = (await control.call('requests')).exceptions;
  await assert.rejects(control.call('cancel-request', { id }), /^Error: [A-Z].*cancelled/i);
  await assert.rejects(control.call('cancel-request', { id: 'exc_none' }), /^Error: [A-Z]/);
});
