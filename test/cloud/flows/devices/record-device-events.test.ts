import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DeviceEventsReply } from '@csg/shared/contract';
import fc from 'fast-check';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

/** Anything that JSON can say, now and then dressed up as an event. */
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

describe('events of every kind', () => {
  let gateway: TestGateway;
  let key: string;
  before(async () => {
    gateway = await startGateway();
    key = await gateway.addDevice();
  });
  after(() => gateway.close());

  test('each is accepted or named with what is wrong, none is lost, and what is accepted is there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 20 }), async (events) => {
        const response = await gateway.call('POST', '/api/v1/devices/events', { key, body: { events } });
        const text = await response.text();
        // Some texts are refused before anything is looked at, such as a half of a surrogate pair.
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
});
