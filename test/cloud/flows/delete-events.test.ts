import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDeletingEvents } from '../../../apps/cloud/src/flows/delete-events.ts';
import { startGateway } from '../../support/gateway.ts';

test('events that cannot be deleted are logged, and left to retention', async () => {
  const gateway = await startGateway({ isOwn: true });
  await gateway.close();
  const { storage } = gateway;
  const organizationId = 'org_deleted';
  const logged = await new Promise<[object, string]>((resolve) => {
    const log = { error: (fields: object, message: string) => resolve([fields, message]) };
    const clock = { now: () => Date.now(), elapsed: () => performance.now() };
    startDeletingEvents({ storage, clock, log }, organizationId, null);
  });
  assert.equal(logged[1], 'events of deleted projects remain');
  assert.equal((logged[0] as { organization_id: string }).organization_id, organizationId);
});
