import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DeviceEventsReply } from '@csg/shared/contract';
import fc from 'fast-check';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

/** Any JSON value, sometimes in the form of an event. */
const item = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      event_id: fc.oneof(fc.stringMatching(/^[a-z0-9]{1,8}$/), fc.jsonValue()),
      decision: fc.oneof(fc.constantFrom('allow', 'block', 'redact'), fc.jsonValue()),
      at: fc.oneof(fc.constantFrom('2026-11-20T12:00:00Z', '0001-01-01T00:00:00Z'), fc.jsonValue()),
      confidence: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.jsonValue()),
      model: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      latency_ms: fc.oneof(fc.nat(), fc.jsonValue()),
      findings: fc.jsonValue(),
      __proto__: fc.jsonValue(),
    },
    { requiredKeys: ['event_id', 'decision'] },
  ),
);

describe('events of any form', () => {
  let gateway: TestGateway;
  let key: string;
  before(async () => {
    gateway = await startGateway();
    key = await gateway.addDevice();
  });
  after(() => gateway.close());

  test('are accepted and stored, or rejected by index, and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 20 }), async (events) => {
        const response = await gateway.call('POST', '/api/v1/devices/events', { key, body: { events } });
        const text = await response.text();
        // Some texts are rejected before any event is read, such as a lone surrogate.
        if (response.status === 400) return;
        assert.equal(response.status, 200, text);
        const { accepted, rejected } = JSON.parse(text) as DeviceEventsReply;
        const refused = new Set(rejected.map(({ index }) => index));
        const kept = new Set(accepted);
        for (const [index, event] of events.entries()) {
          const id = (event as { event_id?: unknown } | null)?.event_id;
          assert.ok(refused.has(index) || kept.has(id as string), `item ${index} is lost`);
        }
        for (const id of accepted) {
          const stored = await gateway.storage.events.get(gateway.account.organizationId, id);
          assert.equal(stored?.id, id);
        }
      }),
      { seed: 11, numRuns: 120 },
    );
    const report = await gateway.storage.audit.verify(gateway.account.organizationId);
    assert.equal(report.valid, true);
  });

  test('are rejected with their index, their id and the invalid field', async () => {
    const good = { event_id: 'named-1', decision: 'allow', at: '2026-11-20T12:00:00Z' };
    const events = [null, [], 'text', {}, { ...good, decision: 'maybe' }, { ...good, confidence: 2 }, good];
    const response = await gateway.call('POST', '/api/v1/devices/events', { key, body: { events } });
    const { accepted, rejected } = (await response.json()) as DeviceEventsReply;
    assert.deepEqual([accepted, rejected.map(({ index }) => index)], [['named-1'], [0, 1, 2, 3, 4, 5]]);
    assert.deepEqual(
      rejected.map(({ event_id }) => event_id),
      [null, null, null, null, 'named-1', 'named-1'],
    );
    const messages = rejected.map(({ message }) => message);
    for (const message of messages.slice(0, 3)) assert.equal(message, 'An event must be an object.');
    assert.match(messages[3]!, /^The event must .*\.$/);
    assert.match(messages[4]!, /^decision must .*\.$/);
    assert.match(messages[5]!, /^confidence must .*\.$/);
  });

  test('are stored with what decided them on the device', async () => {
    const { organizationId } = gateway.account;
    const { id: exceptionId } = await gateway.storage.requests.insert(organizationId, 'exception', {
      ...{
        projectId: gateway.account.projectId,
        deviceId: null,
        requestedBy: 'key_x',
        requesterUserId: null,
      },
      ...{ destinationHost: 'chatgpt.com', subject: 'chatgpt.com', policyId: null, threat: null },
      ...{ reasonCategory: null, justification: null, requestedMinutes: 10 },
    });
    const at = '2026-11-20T12:00:00Z';
    const events = [
      { event_id: 'by-setting', decision: 'block', at, fail_mode: 'closed' },
      { event_id: 'by-exception', decision: 'allow', at, exception_id: exceptionId },
      { event_id: 'by-preset', decision: 'block', at },
    ];
    const response = await gateway.call('POST', '/api/v1/devices/events', { key, body: { events } });
    const { accepted } = (await response.json()) as DeviceEventsReply;
    const stored = accepted.map((id) => gateway.storage.events.get(organizationId, id));
    assert.deepEqual(
      (await Promise.all(stored)).map((event) => event?.decidedBy),
      [
        { kind: 'setting', id: 'fail_mode' },
        { kind: 'exception', id: exceptionId },
        { kind: 'preset', id: 'default:moderate' },
      ],
    );
  });
});
