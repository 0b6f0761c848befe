import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway } from '../../support/gateway.ts';

test('a scan returns a reason for people, and records the direction of the text', async (t) => {
  const clock = createManualClock(Date.now());
  let readings = 0;
  // A millisecond passes between two readings.
  const elapsed = () => readings++;
  const gateway = await startGateway({ clock: { ...clock, elapsed } });
  t.after(() => gateway.close());
  const scan = (body: object) => readAnswer(gateway.call('POST', '/api/v1/security/scan', { body }));
  const hit = await scan({ content: 'My SSN is 123-45-6789' });
  assert.equal(hit.body['blocked'], false);
  assert.equal(hit.body['decision'], 'redact');
  assert.equal(hit.body['threatType'], 'pii_leak');
  assert.match(String(hit.body['reason']), /\w/);
  assert.doesNotMatch(hit.text, /123-45/, 'the detected value is not repeated');
  for (const [type, direction] of [
    ['prompt', 'input'],
    ['response', 'output'],
  ] as const) {
    const before = readings;
    const { body } = await scan({ content: 'hello', type });
    assert.equal(body['reason'], 'No threat was found.');
    assert.equal(body['threatType'], null);
    const ownMs = body['processingTimeMs'] as number;
    assert.ok(ownMs > 0 && ownMs < readings - before, `${ownMs} of ${readings - before} ms`);
    const event = await gateway.storage.events.get(gateway.account.organizationId, String(body['eventId']));
    assert.equal(event?.direction, direction);
    assert.equal(event?.route, 'security/scan');
  }
});
