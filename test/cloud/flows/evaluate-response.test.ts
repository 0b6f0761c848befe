import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { PROVIDER_KEY } from '../../support/clients.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

const LEAKED_KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;

/** The frame at which the clients of each API stop, before the frame that is the same for all. */
const OWN_FRAME = {
  '/chat/completions': /^data: \{"error":\{.*"code":"content_blocked"/,
  '/messages': /^event: message_start\ndata: .*"content":\[\]/,
  '/responses': /^event: response\.failed\ndata: .*"sequence_number":1,.*"code":"invalid_prompt"/,
} as const;

describe('responses of the provider', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const ask = (path: string, stream: boolean) =>
    readAnswer(
      gateway.call('POST', `/api/v1${path}`, {
        body: {
          model: path === '/messages' ? 'claude-test' : 'gpt-test',
          max_tokens: 100,
          ...(path === '/responses'
            ? { input: 'What is my key?' }
            : { messages: [{ role: 'user', content: 'What is my key?' }] }),
          stream,
        },
        bearer: PROVIDER_KEY,
      }),
    );
  const eventsOf = async (requestId: string | null) => {
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 20 });
    const events = await Promise.all(
      rows.map((row) => gateway.storage.events.get(gateway.account.organizationId, row.subject)),
    );
    return events.filter((event) => event?.requestId === requestId);
  };

  for (const path of ['/chat/completions', '/messages', '/responses']) {
    for (const stream of [false, true]) {
      test(`${path}${stream ? ', streamed' : ''}: nothing of a blocked response is sent, and both scans are recorded`, async () => {
        testProvider.answer({ text: `Of course, the key is ${LEAKED_KEY}.` });
        const answer = await ask(path, stream);
        assert.doesNotMatch(answer.text, new RegExp(LEAKED_KEY));
        assert.doesNotMatch(answer.text, /Of course/);
        assert.equal(answer.headers.get('x-service-decision'), 'block');
        if (stream) {
          assert.equal(answer.status, 200);
          const frames = answer.text.trimEnd().split('\n\n');
          const [own = '', last = ''] = frames.slice(-2);
          assert.match(own, OWN_FRAME[path as keyof typeof OWN_FRAME]);
          assert.equal(frames.length, path === '/responses' ? 3 : 2);
          const [event = '', data = ''] = last.split('\n');
          assert.equal(event, 'event: error');
          const frame = JSON.parse(data.replace(/^data: /, '')) as {
            type: string;
            error: Record<string, unknown>;
          };
          assert.equal(frame.type, 'error');
          assert.equal(frame.error['type'], 'content_filter');
          assert.equal(frame.error['code'], 'content_blocked');
          assert.equal(frame.error['event_id'], answer.headers.get('x-service-event-id'));
        } else {
          assert.equal(answer.status, 403);
          assert.equal(answer.error['code'], 'response_blocked');
          assert.equal(answer.error['event_id'], answer.headers.get('x-service-event-id'));
        }
        const events = await eventsOf(answer.headers.get('x-request-id'));
        assert.deepEqual(events.map((event) => [event?.direction, event?.decision]).sort(), [
          ['input', 'allow'],
          ['output', 'block'],
        ]);
      });
    }
  }

  test('personal data in a response is reported in the headers; the body stays the provider’s', async () => {
    testProvider.answer({ text: 'Write to ada@example.com.' });
    const answer = await ask('/chat/completions', false);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /ada@example\.com/);
    const events = await eventsOf(answer.headers.get('x-request-id'));
    const output = events.find((event) => event?.direction === 'output');
    assert.equal(answer.headers.get('x-service-decision'), output?.decision);
  });

  test('text that is no UTF-8 is an error of the provider, which says what cannot be read', async () => {
    const body = (prefix: string, end: string) =>
      Buffer.concat([Buffer.from(`${prefix}{"choices":[{"text":"`), Buffer.from([0xff]), Buffer.from(end)]);
    for (const [stream, type, sent, reason] of [
      [false, 'application/json', body('', '"}]}'), 'not_json'],
      [true, 'text/event-stream', body('data: ', '"}]}\n\ndata: [DONE]\n\n'), 'malformed_stream'],
    ] as const) {
      testProvider.answer({ headers: { 'content-type': type }, body: sent });
      const answer = await ask('/chat/completions', stream);
      assert.deepEqual([answer.status, answer.error['reason']], [502, reason]);
    }
  });

  test('personal data in a provider’s error is masked', async () => {
    const message = 'The account ada.lovelace@acme-mail.com has no access to this model.';
    testProvider.answer({
      status: 400,
      body: JSON.stringify({ error: { message, type: 'invalid_request_error', code: null, param: null } }),
    });
    const answer = await ask('/chat/completions', false);
    assert.equal(answer.status, 400);
    assert.match(String(answer.error['message']), /The account \[EMAIL\] has no access/);
    assert.doesNotMatch(answer.text, /lovelace/);
  });
});
