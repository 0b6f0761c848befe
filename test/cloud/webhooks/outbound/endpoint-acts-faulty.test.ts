import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINT_KINDS, type EndpointKind } from '@csg/shared/contract';
import { testEndpoint } from '../../../../apps/cloud/src/webhooks/outbound/endpoint-acts.ts';
import { createEndpointClient } from '../../../../apps/cloud/src/webhooks/outbound/endpoint-client.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';
import { neverResponds, RECEIVER_FAULTS, type ReceiverFault } from '../../../support/receiver/faults.ts';
import { startFaultyReceiver } from '../../../support/receiver/receiver.ts';

const PATIENT_MS = 60_000;
const IMPATIENT_MS = 300;

test('an endpoint of any kind that hangs, redirects or lies is called once, and fails with a reason', async (t) => {
  const { storage, clock, addPerson } = await openAccountTestEnv(t);
  const { organizationId, userId } = await addPerson();
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
  const log = { error: () => assert.fail('a result was not stored') };
  const admin = { organizationId, id: userId, userId };
  const wrong: string[] = [];

  async function check(kind: EndpointKind, fault: ReceiverFault, url: string): Promise<void> {
    // Of a verdict the body is read too: a 2xx that is followed by nothing, or by too much, is none.
    const isAccepted = fault.ends === 'delivered' && kind !== 'policy';
    const isWaitedFor = neverResponds(fault) || (fault.ends === 'delivered' && kind === 'policy');
    const timeoutMs = isWaitedFor ? IMPATIENT_MS : PATIENT_MS;
    const sender = createEndpointClient({ allowPrivate: true, timeoutMs });
    const endpoint = await storage.endpoints.insert(organizationId, kind, {
      ...{ url, isEnabled: true, events: null, projectId, failMode: 'open', timeoutMs },
      ...{ form: 'webhook', digest: null, quietHours: null },
    });
    const deps = { storage, sender, clock, log, newEventId: () => 'evt_x' };
    const { status, lastError, attempts } = await testEndpoint(deps, admin, endpoint);
    await sender.close();
    const reason = fault.ends === 'delivered' ? /./ : fault.ends;
    const isRight = isAccepted ? lastError === null : reason.test(lastError ?? '');
    if (attempts !== 1 || status !== (isAccepted ? 'delivered' : 'failed') || !isRight) {
      wrong.push(`${kind}, ${fault.name}: ${attempts} attempts, ${status}, ${lastError}`);
    }
  }

  for (const fault of RECEIVER_FAULTS) {
    const receiver = await startFaultyReceiver(fault);
    await Promise.all(ENDPOINT_KINDS.map((kind) => check(kind, fault, receiver.url)));
    await receiver.close();
  }
  assert.deepEqual(wrong, []);
});
