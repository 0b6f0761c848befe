import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createPacedTurns } from '../../../../apps/cloud/src/fairness/paced-turns.ts';
import { previewPolicy } from '../../../../apps/cloud/src/flows/policies/preview-policy.ts';
import { readPastEvents } from '../../../../apps/cloud/src/flows/policies/read-past-events.ts';
import { newEventId } from '../../../../apps/cloud/src/storage/ids.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { seededRandom } from '../../../support/random.ts';

const HOUR_MS = 3_600_000;
const EVENTS = 3_000;
/** Fixed: adding the events may take longer than the oldest of them has left in its day. */
const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

describe('the impact preview of a policy', () => {
  let gateway: TestGateway;
  /** The number of events with redacted personal data in the last 24 hours. */
  let redacted = 0;
  before(async () => {
    gateway = await startGateway();
    const random = seededRandom(6);
    for (let from = 0; from < EVENTS; from += 1_000) {
      await Promise.all(
        Array.from({ length: 1_000 }, async () => {
          // Busier towards the end, as a working day is.
          const atMs = NOW - Math.round(random() ** 2 * 24 * HOUR_MS) - 1_000;
          const isFound = random() < 0.6;
          if (isFound) redacted += 1;
          await addEvent(gateway, atMs, isFound);
        }),
      );
    }
  });
  after(() => gateway.close());

  const preview = (maxPastEvents?: number) =>
    previewPolicy(
      {
        storage: gateway.storage,
        clock: createManualClock(NOW),
        pacedTurns: createPacedTurns({ elapsed: () => performance.now() }),
        ...(maxPastEvents === undefined ? {} : { maxPastEvents }),
      },
      gateway.account.organizationId,
      { policy: { name: 'No personal data', action: 'block', threat_types: ['pii_leak'] } },
    );

  test('counts every event of its span, and warns if a fifth of all requests would be blocked', async () => {
    const { estimated, requests, considered, now, would, warnings, samples } = await preview();
    assert.deepEqual(
      { estimated, requests, considered, redact: would.redact, block: would.block - now.block },
      { estimated: false, requests: EVENTS, considered: redacted, redact: 0, block: redacted },
    );
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['blocks_a_fifth'],
    );
    assert.equal(samples.length, 20);
    assert.ok(samples[0]!.at > samples.at(-1)!.at, 'the newest first');
  });

  test('evaluates a sample of too many events, says so, and is within 5 percent', async () => {
    const { estimated, considered, would, requests } = await preview(500);
    assert.equal(estimated, true);
    assert.ok(considered < 800, `${considered}`);
    assert.ok(Math.abs(would.block - redacted) <= redacted * 0.05, `${would.block} of ${redacted}`);
    assert.equal(would.allow + would.redact + would.block, requests);
  });

  test('weighs the events of a sample to stand for all, also if one slice takes several pages', async () => {
    for (const [days, maxPastEvents] of [
      [1, 500],
      [365, 700],
    ] as const) {
      const span = { fromMs: NOW - days * 24 * HOUR_MS, toMs: NOW };
      const past = await readPastEvents(
        { storage: gateway.storage, maxPastEvents },
        gateway.account.organizationId,
        span,
      );
      const seen = new Set<string>();
      let sum = 0;
      for await (const { event, weight } of past.events) {
        seen.add(event.id);
        sum += weight;
      }
      assert.deepEqual([past.total, past.isSample, Math.round(sum)], [redacted, true, redacted], `${days}`);
      assert.ok(seen.size >= maxPastEvents && seen.size < maxPastEvents * 1.6, `${days}: ${seen.size}`);
    }
  });
});

function addEvent({ storage, account }: TestGateway, atMs: number, isFound: boolean): Promise<void> {
  const { organizationId, projectId } = account;
  const id = newEventId(atMs);
  const finding = {
    ...{ rule: 'pii.email', type: 'pii_leak' as const, path: '/messages/0/content', role: 'user' as const },
    ...{ start: 0, end: 12, confidence: 0.99 },
  };
  return storage.decisions.record({
    event: {
      ...{ id, organizationId, projectId, keyId: null, deviceId: null, requestId: null, direction: 'input' },
      ...{ route: 'guard', model: null, unscanned: [], failed: null, latencyUs: 90, atMs },
      decision: isFound ? 'redact' : 'allow',
      threatType: isFound ? 'pii_leak' : null,
      confidence: isFound ? 0.99 : 0,
      findings: isFound ? [finding] : [],
    },
    audit: { kind: 'policy_allow', actor: 'system', subject: id, data: {} },
  });
}
