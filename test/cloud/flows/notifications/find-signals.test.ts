import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSignals } from '../../../../apps/cloud/src/flows/notifications/find-signals.ts';
import { newEventId } from '../../../../apps/cloud/src/storage/ids.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A direction mark that would turn the rest of the message, and more than a message shows. */
const CALL = { to: '\u202e7', note: 'x'.repeat(600) };
const PAGE = 'https://gateway.example.com/dashboard';

async function openSignals(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, deps } = env;
  const { organizationId, userId } = await env.addPerson();
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'Shop' });
  const find = (id = organizationId) => findSignals(deps, id);
  const keys = async () => (await find()).map(({ key }) => key);
  const requester = { projectId, deviceId: null, requestedBy: 'key_gone', requesterUserId: null };
  const askException = (change: object = {}) =>
    storage.requests.insert(organizationId, 'exception', {
      ...{ ...requester, policyId: null, destinationHost: 'a.example.com', subject: 'a.example.com' },
      ...{ threat: null, reasonCategory: null, justification: null, requestedMinutes: 30, ...change },
    });
  const askTool = (requestedName: string | null) =>
    storage.requests.insert(organizationId, 'tool_request', {
      ...{ ...requester, requestedHost: 'b.example.com', requestedName, justification: null },
    });
  const askReview = () =>
    storage.requests.insert(organizationId, 'tool_review', {
      ...{ ...requester, requesterUserId: userId, agentId: 'a', sessionId: null, toolName: 'pay' },
      ...{ reason: 'r', endsInMs: 3 * DAY_MS, arguments: CALL, subject: 'c' },
    });
  const addEvents = async (decision: 'allow' | 'redact' | 'block', count: number, atMs: number) => {
    for (let n = 0; n < count; n++) {
      const id = newEventId(atMs);
      await storage.decisions.record({
        event: {
          ...{ id, organizationId, projectId, keyId: null, deviceId: null, requestId: null, model: null },
          ...{ direction: 'input', route: 'guard', unscanned: [], failed: null, latencyUs: 1, atMs },
          ...{ decision, threatType: null, confidence: 0, findings: [] },
        },
        audit: { kind: 'policy_allow', actor: 'system', subject: id, data: {} },
      });
    }
  };
  return {
    ...{ ...env, organizationId, userId, projectId, find, keys },
    ...{ askException, askTool, askReview, addEvents },
  };
}

test('nothing is reported of an organization in which nothing happened, or that does not exist', async (t) => {
  const { find } = await openSignals(t);
  assert.deepEqual(await find(), []);
  assert.deepEqual(await find('org_none'), []);
});

test('each kind of request that waits is reported, with who asks for what', async (t) => {
  const { find, userId, askException, askTool, askReview } = await openSignals(t);
  const [exception, named, plain, review] = [
    ...[await askException(), await askTool('Chat'), await askTool(null), await askReview()],
  ] as const;
  const found = await find();
  const of = (id: string) => found.find(({ data }) => data['id'] === id)!;
  assert.equal(found.length, 4);
  const { event, key, text, data } = of(exception.id);
  assert.deepEqual([event, key], ['request.waiting', `request.waiting:${exception.id}`]);
  assert.deepEqual(data, {
    ...{ id: exception.id, status: 'pending', requested_by: 'key_gone', host: 'a.example.com' },
    url: `${PAGE}/requests/${exception.id}`,
    ...{ kind: 'exception', project: 'Shop', destination_host: 'a.example.com', policy_id: null },
    ...{ threat: null, all_findings: true, reason_category: null, requested_minutes: 30 },
  });
  assert.equal(
    text,
    `key_gone requests an exception for all findings, also personal data and secrets, in texts to a.example.com (30 minutes) in the project Shop.\nApprove or deny: ${PAGE}/requests/${exception.id}`,
  );
  assert.match(of(named.id).text, / Chat \(b\.example\.com\)/);
  assert.match(of(plain.id).text, / b\.example\.com \(b\.example\.com\)/);
  assert.equal(of(named.id).data['host'], 'b.example.com');
  assert.match(
    of(review.id).text,
    /^The agent a, with a key of Person, requests the tool call pay with \{"to":"\\u\{202e\}7","note":"x+ … \(cut\) in the project Shop\.\n/,
    'by the agent, and the person behind its key',
  );
  assert.ok(of(review.id).text.length < 1_000);
  assert.deepEqual(
    ['host', 'requested_by', 'agent_id', 'tool_name', 'arguments'].map((name) => of(review.id).data[name]),
    [null, 'Person', 'a', 'pay', CALL],
  );
  assert.notEqual(userId, of(review.id).data['requested_by']);
});

test('of requests the last day is reported: of those that wait by creation, of others by decision', async (t) => {
  const { keys, find, clock, storage, organizationId, userId, askException, askTool } = await openSignals(t);
  const [waiting, approved, denied, cancelled] = [
    ...[await askException(), await askException(), await askTool('Chat'), await askTool(null)],
  ] as const;
  clock.advance(DAY_MS);
  assert.equal((await keys()).length, 4, 'exactly a day');
  await storage.requests.decide(organizationId, approved.id, {
    ...{ approve: true, decidedBy: userId, reason: null, endsInMs: 30 * 60_000 },
  });
  await storage.requests.decide(organizationId, denied.id, {
    ...{ approve: false, decidedBy: 'operator', reason: null },
  });
  await storage.requests.cancel(organizationId, cancelled.id, userId);
  const found = await find();
  assert.deepEqual(found.map(({ key }) => key).toSorted(), [
    ...[`request.decided:${approved.id}`, `request.decided:${denied.id}`].toSorted(),
    `request.waiting:${waiting.id}`,
  ]);
  const of = (id: string) => found.find(({ data }) => data['id'] === id)!;
  assert.equal(of(approved.id).event, 'request.decided');
  assert.match(of(approved.id).text, /^Person approved .*a\.example\.com.* key_gone /);
  assert.match(of(denied.id).text, /^Operator denied .*Chat/);
  assert.equal(of(denied.id).data['status'], 'denied');
  clock.advance(1);
  assert.equal((await keys()).includes(`request.waiting:${waiting.id}`), false);
  clock.advance(DAY_MS - 1);
  // The exception is over by now, and its decision no news.
  assert.deepEqual(await keys(), [`request.decided:${denied.id}`]);
  clock.advance(1);
  assert.deepEqual(await keys(), []);
});

test('devices that gave up or fell silent are reported, and no others', async (t) => {
  const { find, storage, organizationId, clock } = await openSignals(t);
  const add = async (name: string, supervisorState: 'quiet' | 'gave_up' | 'retrying') => {
    const { id } = await storage.devices.insert(organizationId, { name, platform: 'linux' });
    const heartbeat = { agentVersion: '1.0.0', proxyRestarts: 0, atMs: clock.now(), supervisorState };
    await storage.devices.recordHeartbeat(organizationId, id, heartbeat);
    return id;
  };
  await storage.devices.insert(organizationId, { name: 'Never seen', platform: 'linux' });
  const silent = await add('Silent', 'gave_up');
  clock.advance(3 * MINUTE_MS + 1);
  const [failing, revoked] = [await add('Failing', 'gave_up'), await add('Revoked', 'gave_up')];
  await add('Quiet', 'quiet');
  await add('Retrying', 'retrying');
  await storage.devices.revoke(organizationId, revoked);
  const found = (await find()).toSorted((a, b) => (a.event < b.event ? -1 : 1));
  assert.deepEqual(
    found.map(({ event, key, data }) => ({ event, key, data })),
    [
      [failing, 'Failing', 'gave_up'],
      [silent, 'Silent', 'silent'],
    ].map(([id, device, state]) => ({
      ...{ event: `device.${state}`, key: `device.${state}:${id}` },
      data: { device_id: id, device, state, url: `${PAGE}/devices` },
    })),
  );
  assert.match(found[0]!.text, /device Failing/);
  assert.match(found[1]!.text, /device Silent/);
  assert.notEqual(found[0]!.text.replace('Failing', ''), found[1]!.text.replace('Silent', ''));
});

test('a webhook fails after ten attempts, or after two minutes; another endpoint is another signal', async (t) => {
  const { find, keys, storage, organizationId, projectId, clock } = await openSignals(t);
  const target = { url: 'https://hooks.example.com/', isEnabled: true };
  const { endpoints, deliveries } = storage;
  const added = await endpoints.insert(organizationId, 'webhook', { ...target, projectId, events: null });
  const { id: firstId } = await endpoints.put(organizationId, 'webhook', projectId, target);
  const { id: auditId } = await endpoints.put(organizationId, 'audit', null, target);
  const deliver = (endpointId: string, project: string | null = projectId) =>
    deliveries.enqueue(organizationId, [
      { endpointId, projectId: project, event: 'usage.overage', eventId: null, payload: '{}' },
    ]);
  const fail = async (deliveryId: string, times: number) => {
    for (let failures = 1; failures <= times; failures++) {
      const delivery = await deliveries.claimOne(organizationId, deliveryId, 1_000);
      assert.ok(delivery !== null);
      await deliveries.settle(delivery, {
        ...{ status: 'pending', failures, responseStatus: 500, lastError: 'x', isAttempt: true },
        dueAtMs: clock.now(),
      });
    }
  };
  const [first] = await deliver(firstId);
  await fail(first!.id, 9);
  assert.deepEqual(await keys(), []);
  clock.advance(2 * MINUTE_MS - 1);
  assert.deepEqual(await keys(), []);
  clock.advance(1);
  const [second] = await deliver(added.id);
  await fail(second!.id, 10);
  const [audit] = await deliver(auditId, null);
  await fail(audit!.id, 12);
  const found = await find();
  assert.deepEqual(
    found
      .map(({ event, key, data }) => ({ event, key, data }))
      .toSorted((a, b) => String(a.data['project_id']).localeCompare(String(b.data['project_id'])))
      .toSorted((a, b) => Number(b.data['webhook_id'] === null) - Number(a.data['webhook_id'] === null)),
    [
      [null, null, null, auditId],
      [projectId, 'Shop', null, firstId],
      [projectId, 'Shop', added.id, added.id],
    ].map(([project_id, project, webhook_id, key]) => ({
      ...{ event: 'webhook.failing', key: `webhook.failing:${key}` },
      data: { project_id, project, webhook_id, url: `${PAGE}/${key === auditId ? 'endpoints' : 'webhooks'}` },
    })),
  );
  const textOf = (id: string) => found.find(({ key }) => key.endsWith(id))!.text;
  assert.match(textOf(firstId), /Shop.* 9 /);
  assert.match(textOf(auditId), / organization .* 12 /);
  clock.advance(DAY_MS + 1);
  assert.deepEqual(await keys(), [], 'failures of the last day count');
});

test('more than a hundred blocks in five minutes are a burst, from five times the usual number on', async (t) => {
  const { find, clock, addEvents } = await openSignals(t);
  const now = clock.now();
  const start = now - 5 * MINUTE_MS;
  await addEvents('block', 50, now);
  await addEvents('block', 50, start);
  await addEvents('redact', 5, now);
  await addEvents('allow', 5, now);
  assert.deepEqual(await find(), []);
  await addEvents('block', 20, now - MINUTE_MS);
  const url = `${PAGE}/events?decision=block`;
  const [burst, ...others] = await find();
  assert.deepEqual(
    [burst?.event, burst?.key, burst?.data, others],
    ['blocks.burst', 'blocks.burst', { blocked: 120, usual: 0, url }, []],
  );
  // In the hour before: twelve times five minutes.
  await addEvents('block', 144, start - 1);
  await addEvents('block', 144, start - 60 * MINUTE_MS);
  await addEvents('block', 9, start - 60 * MINUTE_MS - 1);
  await addEvents('redact', 9, start - 1);
  const [usual] = await find();
  assert.deepEqual(usual?.data, { blocked: 120, usual: 24, url });
  assert.match(usual!.text, /^120 .* 24\. .*decision=block$/);
  await addEvents('block', 1, start - 1);
  assert.deepEqual(await find(), []);
});

test('each alert that the owner was sent this month is a signal', async (t) => {
  const { find, storage, userId, clock } = await openSignals(t);
  await storage.usageAlerts.claim(userId, '2026-10', '90');
  await storage.usageAlerts.claim(userId, '2026-11', '80');
  await storage.usageAlerts.claim(userId, '2026-11', 'overage');
  const found = (await find()).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  assert.deepEqual(
    found.map(({ event, key, data }) => ({ event, key, data })),
    ['80', 'overage'].map((alert) => ({
      ...{ event: 'quota', key: `quota:2026-11:${alert}` },
      data: { alert, month: '2026-11', url: `${PAGE}/plan` },
    })),
  );
  assert.match(found[0]!.text, /^80% /);
  assert.doesNotMatch(found[1]!.text, /%/);
  clock.set(Date.UTC(2026, 11, 1));
  assert.deepEqual(await find(), []);
});
