import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const LEAKED_KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;

describe('guard', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const guard = (body: object) => readAnswer(gateway.call('POST', '/api/v1/guard', { body }));

  test('the direction decides what counts: a secret is kept in, and told in the event', async () => {
    const messages = [{ role: 'assistant', content: `The key is ${LEAKED_KEY}` }];
    const { body, headers } = await guard({ messages, direction: 'output', model: 'gpt-test' });
    assert.notEqual(body['decision'], 'allow');
    assert.equal(headers.get('x-service-decision'), body['decision']);
    const event = await gateway.storage.events.get(gateway.account.organizationId, String(body['event_id']));
    assert.equal(event?.direction, 'output');
    assert.equal(event?.model, 'gpt-test');
    assert.equal(event?.route, 'guard');
    assert.doesNotMatch(JSON.stringify(event), new RegExp(LEAKED_KEY));
  });

  test('every message has its redacted twin, in order, as strings', async () => {
    const { body } = await guard({
      messages: [
        { role: 'user', content: 'My SSN is 123-45-6789' },
        { role: 'assistant', content: 'Thank you.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And my mail' },
            { type: 'text', text: 'is ada@example.com' },
          ],
        },
      ],
    });
    assert.equal(body['decision'], 'redact');
    const redacted = body['redacted_messages'] as { role: string; content: unknown }[];
    assert.deepEqual(
      redacted.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    for (const { content } of redacted) assert.equal(typeof content, 'string');
    assert.equal(redacted[0]?.content, 'My SSN is [SSN]');
    assert.equal(redacted[1]?.content, 'Thank you.');
    assert.match(String(redacted[2]?.content), /And my mail\s+is \[EMAIL\]/);
  });

  test('the time it took is a duration', async () => {
    const { body } = await guard({ messages: [{ role: 'user', content: 'hello' }] });
    assert.ok((body['latency_ms'] as number) >= 0 && (body['latency_ms'] as number) < 5_000);
  });
});
