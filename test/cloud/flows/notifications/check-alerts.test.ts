import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAlerts } from '../../../../apps/cloud/src/flows/notifications/check-alerts.ts';
import type { EndpointInput, EventAlert } from '../../../../apps/cloud/src/storage/storage.ts';
import { makeRecord } from '../../../conformance/storage-engines.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const MINUTE_MS = 60_000;

async function openAlerts(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, deps, clock } = env;
  const { organizationId, userId } = await env.addPerson();
  const addTarget = (change: Partial<EndpointInput<'notification'>> = {}) =>
    storage.endpoints.insert(organizationId, 'notification', {
      ...{ url: 'https://hooks.example.com/', isEnabled: true, events: null, form: 'webhook' },
      ...{ digest: null, quietHours: null, ...change },
    });
  const target = await addTarget();
  const addAlert = (change: Partial<EventAlert> = {}) =>
    storage.eventAlerts.insert(organizationId, {
      ...{ endpointId: target.id, name: 'Blocks', filter: { decision: 'block' } },
      ...{ threshold: 3, windowMinutes: 10, ...change },
    });
  const record = async (count: number, change: object = {}) => {
    for (let n = 0; n < count; n++) {
      const event = { decision: 'block' as const, atMs: clock.now(), ...change };
      await storage.decisions.record(makeRecord(organizationId, event));
    }
    await storage.flush();
  };
  const check = async () => {
    await checkAlerts(deps);
    return (await storage.notifications.takeDue(100)).map(({ text }) => text.split('\n')[0]);
  };
  return { ...env, organizationId, userId, target, addTarget, addAlert, record, check };
}

test('an alert notifies its endpoint from the threshold on, with a link to what it counted', async (t) => {
  const { deps, storage, clock, target, addTarget, addAlert, record, check } = await openAlerts(t);
  await addTarget();
  const alert = await addAlert({ name: 'Bl\u202eocks' });
  await record(2);
  await record(5, { decision: 'allow' });
  assert.deepEqual(await check(), []);
  clock.advance(MINUTE_MS);
  await record(1);
  await checkAlerts(deps);
  const [message, ...others] = await storage.notifications.takeDue(100);
  assert.deepEqual(others, []);
  const from = new Date(clock.now() + 1 - 10 * MINUTE_MS).toISOString();
  const to = new Date(clock.now() + 1).toISOString();
  const query = new URLSearchParams({ decision: 'block', span: 'custom', from, to });
  const url = `https://gateway.example.com/dashboard/events?${query}`;
  assert.deepEqual(
    { endpointId: message!.endpointId, event: message!.event, text: message!.text, data: message!.data },
    {
      ...{ endpointId: target.id, event: 'events.threshold' },
      text: `Alert Bl\\u{202e}ocks: 3 events or more matched within the last 10 minutes.\nSee ${url}`,
      data: {
        ...{ alert_id: alert.id, alert: 'Bl\u202eocks', threshold: 3, window_minutes: 10 },
        ...{ filter: { decision: 'block' }, from, to, url },
      },
    },
  );
  assert.equal((await storage.eventAlerts.list(alert.organizationId))[0]?.notifiedAtMs, clock.now());
});

test('it notifies once in a window, then counts what came since', async (t) => {
  const { clock, addAlert, record, check } = await openAlerts(t);
  await addAlert();
  await record(3);
  assert.equal((await check()).length, 1);
  const startMs = clock.now();
  await record(2, { atMs: startMs + 1 });
  for (let minute = 1; minute < 10; minute++) {
    clock.advance(MINUTE_MS);
    assert.deepEqual(await check(), [], `minute ${minute}`);
  }
  clock.advance(MINUTE_MS - 1);
  await record(1);
  assert.deepEqual(await check(), []);
  clock.advance(1);
  assert.equal((await check()).length, 1, 'the two at its beginning and the one at its end');
});

test('events leave the window, and a long window is checked less often', async (t) => {
  const { clock, addAlert, record, check } = await openAlerts(t);
  await addAlert({ threshold: 1, windowMinutes: 1 });
  await addAlert({ name: 'Day', threshold: 2, windowMinutes: 1_440 });
  await record(1, { atMs: clock.now() - MINUTE_MS });
  assert.deepEqual(await check(), []);
  await record(1);
  clock.advance(24 * MINUTE_MS - 1);
  assert.deepEqual(await check(), [], 'the only event of the minute is old');
  clock.advance(1);
  assert.deepEqual(await check(), ['Alert Day: 2 events or more matched within the last 1440 minutes.']);
  clock.advance(MINUTE_MS);
  await record(1);
  assert.deepEqual(await check(), ['Alert Blocks: An event matched within the last minute.']);
});

test('names in a filter are resolved at each check', async (t) => {
  const { storage, clock, organizationId, userId, addAlert, record, check } = await openAlerts(t);
  await addAlert({ threshold: 1, filter: { user_id: userId } });
  await addAlert({ name: 'Search', threshold: 1, filter: { q: 'laptop' } });
  const { id: deviceId } = await storage.devices.insert(organizationId, {
    ...{ name: 'Laptop', platform: 'linux', userId },
  });
  await record(1, { deviceId: 'dev_other' });
  assert.deepEqual(await check(), []);
  clock.advance(MINUTE_MS);
  await record(1, { deviceId });
  assert.equal((await check()).length, 2);
});

test('a disabled endpoint is told later; quiet hours and digests apply', async (t) => {
  const { storage, clock, organizationId, target, addTarget, addAlert, record, check } = await openAlerts(t);
  await addAlert({ threshold: 1 });
  const hourly = await addTarget({ digest: 'hourly' });
  await addAlert({ name: 'Hourly', threshold: 1, endpointId: hourly.id });
  await storage.endpoints.update(organizationId, 'notification', target.id, { isEnabled: false });
  await record(1);
  assert.deepEqual(await check(), []);
  await storage.endpoints.update(organizationId, 'notification', target.id, { isEnabled: true });
  clock.advance(MINUTE_MS);
  assert.deepEqual(await check(), ['Alert Blocks: An event matched within the last 10 minutes.']);
  clock.set(Math.ceil(clock.now() / (60 * MINUTE_MS)) * 60 * MINUTE_MS);
  assert.deepEqual(await check(), ['Alert Hourly: An event matched within the last 10 minutes.']);
});
