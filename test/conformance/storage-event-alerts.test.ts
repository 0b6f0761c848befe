import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinks } from '../../apps/cloud/src/flows/links.ts';
import { checkAlerts } from '../../apps/cloud/src/flows/notifications/check-alerts.ts';
import { createManualClock } from '../support/clock.ts';
import { assertEmpty, createTestEnv, makeRecord, NOON, onEveryEngine } from './storage-engines.ts';

const ALERT = { name: 'Blocked', filter: { decision: 'block' }, threshold: 2, windowMinutes: 5 } as const;
const TARGET = {
  ...{ url: 'https://hooks.example.com/', isEnabled: true, events: null, form: 'webhook' as const },
  ...{ digest: null, quietHours: null },
};

onEveryEngine('Alerts', (engine) => {
  test('are those of their organization, until they or their endpoint are removed', async () => {
    const s = await engine.open();
    const { organizationId: org } = await createTestEnv(s);
    const { organizationId: other } = await createTestEnv(s);
    await assertEmpty({ list: s.eventAlerts.list(org), remove: s.eventAlerts.remove(org, 'ala_none') });
    const { id: endpointId } = await s.endpoints.insert(org, 'notification', TARGET);
    const second = await s.eventAlerts.insert(org, { ...ALERT, endpointId, name: 'Second' });
    const first = await s.eventAlerts.insert(org, { ...ALERT, endpointId, name: 'First' });
    assert.deepEqual(first, {
      ...{ ...ALERT, id: first.id, organizationId: org, endpointId, name: 'First' },
      ...{ createdAtMs: NOON, notifiedAtMs: null, dueAtMs: NOON },
    });
    assert.deepEqual(await s.eventAlerts.list(org), [first, second]);
    await assertEmpty({ list: s.eventAlerts.list(other), remove: s.eventAlerts.remove(other, first.id) });
    assert.equal(await s.eventAlerts.remove(org, first.id), true);
    assert.deepEqual(await s.eventAlerts.list(org), [second]);
    await s.endpoints.remove(org, endpointId);
    assert.deepEqual(await s.eventAlerts.list(org), []);
  });

  test('are planned by one of several instances', async () => {
    const [s, t] = [await engine.open(), await engine.open()];
    const { organizationId: org } = await createTestEnv(s);
    const { id: endpointId } = await s.endpoints.insert(org, 'notification', TARGET);
    const alert = await s.eventAlerts.insert(org, { ...ALERT, endpointId });
    assert.deepEqual(await t.eventAlerts.listDue(10), [alert]);
    const planned = await Promise.all([
      s.eventAlerts.plan(alert, NOON + 1),
      t.eventAlerts.plan(alert, NOON + 1),
    ]);
    assert.deepEqual(planned.toSorted(), [false, true]);
    assert.deepEqual(await s.eventAlerts.listDue(10), []);
    await s.eventAlerts.noteNotified(alert.id, NOON);
    assert.deepEqual(await s.eventAlerts.listDue(10), [{ ...alert, notifiedAtMs: NOON }]);
    await s.eventAlerts.remove(org, alert.id);
    assert.equal(await s.eventAlerts.plan(alert, NOON + 2), false);
  });

  test('notify once, whichever instance checks', async () => {
    const clock = createManualClock(NOON);
    const options = { now: clock.now };
    const [s, t] = [await engine.open(options), await engine.open(options)];
    const { organizationId: org } = await createTestEnv(s);
    const { id: endpointId } = await s.endpoints.insert(org, 'notification', TARGET);
    await s.eventAlerts.insert(org, { ...ALERT, endpointId });
    for (const decision of ['block', 'block', 'allow'] as const)
      await s.decisions.record(makeRecord(org, { decision, atMs: NOON }));
    await s.flush();
    const links = createLinks(() => 'https://gateway.example.com');
    await Promise.all([s, t, s, t].map((storage) => checkAlerts({ storage, clock, links })));
    const sent = await s.notifications.takeDue(10);
    assert.deepEqual(
      sent.map(({ event, endpointId: to }) => [event, to]),
      [['events.threshold', endpointId]],
    );
  });

  test('count events as far as they have to', async () => {
    const s = await engine.open();
    const { organizationId: org } = await createTestEnv(s);
    for (const decision of ['block', 'block', 'allow'] as const)
      await s.decisions.record(makeRecord(org, { decision, atMs: NOON }));
    await s.flush();
    assert.deepEqual(
      [
        await s.events.count(org, {}, 10),
        await s.events.count(org, {}, 2),
        await s.events.count(org, { decision: 'block', fromMs: NOON, toMs: NOON + 1 }, 10),
        await s.events.count(org, { toMs: NOON }, 10),
        await s.events.count('org_none', {}, 10),
      ],
      [3, 2, 2, 0, 0],
    );
  });
});
