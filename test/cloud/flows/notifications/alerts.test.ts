import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, type CreateAlert, ValidationError } from '@csg/shared/contract';
import { addAlert, removeAlert } from '../../../../apps/cloud/src/flows/notifications/alerts.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

async function openAlerts(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const admin = await env.addPerson();
  const { organizationId } = admin;
  const target = (organization = organizationId) =>
    storage.endpoints.insert(organization, 'notification', {
      ...{ url: 'a@example.com', isEnabled: true, events: null, form: 'mail' },
      ...{ digest: null, quietHours: null },
    });
  const { id } = await target();
  const add = (change: Partial<CreateAlert> = {}) =>
    addAlert({ storage }, admin, {
      ...{ name: ' Blocks ', filter: { decision: 'block' }, threshold: 5, window_minutes: 60 },
      ...{ endpoint_id: id, ...change },
    });
  return { ...env, admin, organizationId, target, endpointId: id, add };
}

test('an alert is added and removed, each with an audit row', async (t) => {
  const { storage, changes, admin, organizationId, endpointId, add } = await openAlerts(t);
  const alert = await add();
  assert.deepEqual(
    [alert.name, alert.filter, alert.threshold, alert.windowMinutes, alert.endpointId],
    ['Blocks', { decision: 'block' }, 5, 60, endpointId],
  );
  await removeAlert({ storage }, admin, alert.id);
  const row = { actor: admin.userId, subject: alert.id };
  assert.deepEqual(await changes(organizationId), [
    { ...row, kind: 'alert_created', data: { threshold: 5, window_minutes: 60, endpoint_id: endpointId } },
    { ...row, kind: 'alert_removed', data: {} },
  ]);
  await assert.rejects(
    removeAlert({ storage }, admin, alert.id),
    (error) => error instanceof CodedError && error.code === 'not_found',
  );
});

test('it notifies a notification target of its organization only', async (t) => {
  const { storage, addPerson, organizationId, target, add } = await openAlerts(t);
  const { id: foreign } = await target((await addPerson()).organizationId);
  const { id: audit } = await storage.endpoints.put(organizationId, 'audit', null, {
    ...{ url: 'https://archive.example.com/', isEnabled: true },
  });
  for (const endpoint_id of [foreign, audit, 'ntf_none'])
    await assert.rejects(add({ endpoint_id }), (error) => {
      assert.ok(error instanceof ValidationError, endpoint_id);
      assert.deepEqual(error.detail[0]?.loc, ['body', 'endpoint_id']);
      return true;
    });
  assert.deepEqual(await storage.eventAlerts.list(organizationId), []);
});
