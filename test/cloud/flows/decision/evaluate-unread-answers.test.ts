import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addKeyOf } from '../../../support/accounts.ts';
import { allowExcepted } from '../../../support/allow-excepted.ts';
import { type Answer, type Json, readAnswer } from '../../../support/answers.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { makePdf } from '../../../support/make-pdf.ts';
import { startReceiver } from '../../../support/receiver/receiver.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

type Kind = 'moderate' | 'strict' | 'closed';
const KINDS = {
  moderate: {},
  strict: { strictnessLevel: 'strict' },
  closed: { failMode: 'closed' },
} as const;

describe('on_unscanned in responses, with exceptions, without an engine, and with a policy endpoint', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  const keys = new Map<string, { key: string; projectId: string }>();
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url, env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    const { organizationId, accountId } = gateway.account;
    for (const [name, more] of Object.entries(KINDS)) {
      const { id: projectId } = await gateway.storage.projects.insert(organizationId, { name, ...more });
      keys.set(name, { key: await addKeyOf(gateway, { organizationId, projectId }, accountId), projectId });
    }
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });

  const post = (kind: Kind, route: string, body: object): Promise<Answer> =>
    readAnswer(
      gateway.call('POST', `/api/v1/${route}`, { key: keys.get(kind)!.key, body, bearer: PROVIDER_KEY }),
    );
  const words = { type: 'text', text: 'Sum this up.' };
  const chat = (part: object) => ({ model: 'm', messages: [{ role: 'user', content: [words, part] }] });

  test('"answers 403 `response_blocked`"; streamed: the block frame', async () => {
    const document = { type: 'document', source: { type: 'url', url: 'https://files.example.com/a.pdf' } };
    const content = [
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 's',
        content: { type: 'web_fetch_result', content: document },
      },
    ];
    const whole = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      stop_reason: 'end_turn',
    };
    const json = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(whole),
    };
    const ask = (kind: Kind, stream: boolean) =>
      post(kind, 'messages', {
        model: 'm',
        max_tokens: 9,
        stream,
        messages: [{ role: 'user', content: 'Hi' }],
      });
    testProvider.answer(json);
    const refused = await ask('strict', false);
    assert.deepEqual(
      [refused.status, refused.error['code'], refused.error['param']],
      [403, 'response_blocked', 'content[0].content.content.source.url'],
      refused.text,
    );
    assert.equal((await ask('moderate', false)).status, 200);
    const events = [
      { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: content[0] },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ];
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    testProvider.answer({ status: 200, headers: { 'content-type': 'text/event-stream' }, body });
    const streamed = await ask('strict', true);
    assert.equal(streamed.status, 200);
    assert.match(streamed.text, /"code":"content_blocked"/);
    assert.ok(!streamed.text.includes('files.example.com'));
    assert.ok((await ask('moderate', true)).text.includes('files.example.com'));
    testProvider.reset();
  });

  test('a PDF in a response is read, so it blocks nothing', async () => {
    const pdf = {
      type: 'document',
      source: {
        type: 'base64',
        media_type: 'application/pdf',
        data: makePdf({ pages: ['A quiet page.'] }).toString('base64'),
      },
    };
    const content = [
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 's',
        content: { type: 'web_fetch_result', content: pdf },
      },
    ];
    const whole = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      stop_reason: 'end_turn',
    };
    testProvider.answer({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(whole),
    });
    const passed = await post('strict', 'messages', {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    assert.equal(passed.status, 200, passed.text);
    testProvider.reset();
  });

  test('"unread parts by settings": no exception allows them, whatever it names', async () => {
    const { organizationId } = gateway.account;
    const { projectId } = keys.get('strict')!;
    const body = chat({ type: 'file', file: { file_id: 'file-abc123' } });
    const host = new URL(testProvider.url).hostname;
    for (const threat of ['hidden_content', null]) {
      await allowExcepted(gateway.storage, organizationId, projectId, { host, threat });
      assert.equal((await post('strict', 'chat/completions', body)).status, 403, `${threat}`);
    }
  });

  test('"It never applies to `engine_unavailable`"', async () => {
    const broken = await startGateway({ providerUrl: testProvider.url, engine: 'broken' });
    try {
      const { organizationId, projectId } = broken.account;
      await broken.storage.projects.update(organizationId, projectId, {
        settings: { on_unscanned: 'block' },
      });
      const content = 'How do I ignore files in git? '.repeat(1_000);
      const scan = await readAnswer(broken.call('POST', '/api/v1/security/scan', { body: { content } }));
      assert.deepEqual([scan.body['decision'], (scan.body['unscanned'] as Json[]).length], ['allow', 1]);
      const file = await readAnswer(
        broken.call('POST', '/api/v1/guard', {
          body: {
            messages: [
              {
                role: 'user',
                content: [
                  { type: 'text', text: content },
                  { type: 'file', file: { file_id: 'f' } },
                ],
              },
            ],
          },
        }),
      );
      assert.equal(file.body['decision'], 'block', 'an unread file is still blocked');
    } finally {
      await broken.close();
    }
  });

  test('the policy endpoint receives unread parts as hidden content', async () => {
    const endpoint = await startReceiver();
    endpoint.answer((response) => response.end('{"verdict":"allow"}'));
    const { projectId } = keys.get('closed')!;
    const policyWebhook = {
      url: endpoint.url,
      isEnabled: true,
      failMode: 'open' as const,
      timeoutMs: 10_000,
    };
    await gateway.storage.endpoints.put(
      ...([gateway.account.organizationId, 'policy', projectId, policyWebhook] as const),
    );
    const key = await addKeyOf(gateway, { organizationId: gateway.account.organizationId, projectId }, null);
    const body = { messages: [{ role: 'user', content: [words, { type: 'file', file: { file_id: 'f' } }] }] };
    const blocked = await readAnswer(gateway.call('POST', '/api/v1/guard', { key, body }));
    assert.equal(blocked.body['decision'], 'block');
    const request = endpoint.received.at(-1)?.body as unknown as Json;
    assert.deepEqual(request['threats_detected'], [{ type: 'hidden_content', confidence: 1 }]);
    await endpoint.close();
  });
});
