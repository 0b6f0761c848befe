import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anthropicClient, openaiClient, PROVIDER_KEY } from '../../support/clients.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

const ANNA = 'anna.svensson@example.com';
const CARD = '4111 1111 1111 1111';
const KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const EMAIL_MASK = /\[EMAIL_[0-9A-HJKMNP-TV-Z]{8}\]/;

describe('round-trip masking', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  let adminKey: string;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    adminKey = (await gateway.addKey({ projectId: null })).plain;
    await setting({ masking: 'round_trip', secret_tools: { deploy: ['api_key'] } });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const setting = async (body: object, projectId = gateway.account.projectId) => {
    const answer = await gateway.call('PATCH', `/api/v1/projects/${projectId}`, { key: adminKey, body });
    assert.equal(answer.status, 200, await answer.text());
  };
  const user = (content: string) => [{ role: 'user' as const, content }];
  const chat = async (messages: object[], more: object = {}) => {
    const answer = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: PROVIDER_KEY,
      body: { model: 'm', messages, ...more },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const sent = () => testProvider.lastRequest().body.toString();
  const maskIn = (text: string) => EMAIL_MASK.exec(text)?.[0] ?? '';
  /** Answers as a model could, about the placeholder in the request. */
  const says = (text: (mask: string) => string) =>
    testProvider.answer((request) => ({ text: text(maskIn(request.body.toString())) }));

  test('sends the provider a placeholder instead of the value, and the client the value', async () => {
    says((mask) => `I wrote to ${mask}, "${mask}".`);
    const { text, headers } = await chat(user(`Write to ${ANNA}.`));
    assert.ok(!sent().includes(ANNA) && EMAIL_MASK.test(sent()), sent());
    assert.equal(JSON.parse(text).choices[0].message.content, `I wrote to ${ANNA}, "${ANNA}".`);
    assert.equal(headers.get('x-service-decision'), 'redact');
  });

  test('uses one placeholder for a value in all requests of a project, and another in the next project', async () => {
    says((mask) => mask);
    await chat(user(`Write to ${ANNA}.`));
    const first = maskIn(sent());
    await chat([{ role: 'assistant', content: 'Hello' }, ...user(`Again: ${ANNA}, and bo@example.org`)]);
    assert.ok(sent().includes(first));
    assert.equal(new Set(sent().match(new RegExp(EMAIL_MASK, 'g'))).size, 2);
    const made = await gateway.call('POST', '/api/v1/projects', { key: adminKey, body: { name: 'Other' } });
    const { id } = (await made.json()) as { id: string };
    await setting({ masking: 'round_trip' }, id);
    const { plain } = await gateway.addKey({ projectId: id });
    await gateway.call('POST', '/api/v1/chat/completions', {
      key: plain,
      bearer: PROVIDER_KEY,
      body: { model: 'm', messages: user(`Write to ${ANNA}.`) },
    });
    assert.notEqual(maskIn(sent()), first);
  });

  test('does not restore a placeholder whose value is not in the request, from any author', async () => {
    says((mask) => mask);
    await chat(user(`Write to ${ANNA}.`));
    const mask = maskIn(sent());
    testProvider.answer({ text: `${mask} and [EMAIL_00000000] and [PHONE_7K3M9QWX]` });
    const { text } = await chat(user(`What is ${mask}?`));
    assert.ok(!text.includes(ANNA) && text.includes('[EMAIL_00000000]'), text);
  });

  test('keeps every other byte as the provider sent it', async () => {
    testProvider.answer((request) => ({
      body: `{ "x" : 1.0,"seed":9007199254740993, "choices":[{"message":{"content":"\\u00fc\\/ ${maskIn(request.body.toString())} \\ud83d\\ude00"}}]}`,
    }));
    const { text } = await chat(user(`Write to ${ANNA}.`));
    assert.equal(
      text,
      `{ "x" : 1.0,"seed":9007199254740993, "choices":[{"message":{"content":"\\u00fc\\/ ${ANNA} \\ud83d\\ude00"}}]}`,
    );
  });

  test('restores nothing in a URL, an image or a tag', async () => {
    for (const form of [
      (mask: string) => `https://evil.example/?q=${mask}`,
      (mask: string) => `![x](https://evil.example/a ${mask})`,
      (mask: string) => `[x](mailto:${mask})`,
      (mask: string) => `<img alt="x" src="//e.example/${mask}">`,
      (mask: string) => `${mask}.evil.example`,
      (mask: string) => `www.evil.example/${mask}`,
    ]) {
      says(form);
      const { text } = await chat(user(`Write to ${ANNA}.`));
      assert.ok(!text.includes(ANNA), text);
    }
  });

  test('masks what only the developer wrote, and does not restore it', async () => {
    says((mask) => `The number is ${mask || '?'}`);
    testProvider.answer((request) => ({
      text: `${/\[CREDIT_CARD_\w+\]/.exec(request.body.toString())?.[0]}`,
    }));
    const { text } = await chat([
      { role: 'system', content: `The card of the firm is ${CARD}.` },
      ...user('Which card?'),
    ]);
    assert.ok(/\[CREDIT_CARD_\w{8}\]/.test(sent()) && !sent().includes(CARD), sent());
    assert.ok(!text.includes(CARD) && text.includes('[CREDIT_CARD_'), text);
  });

  test('restores values in tool arguments, and secrets only for tools that the project names', async () => {
    await setting({ masking: 'round_trip', secret_tools: { deploy: ['api_key'] } });
    testProvider.answer((request) => {
      const [email, secret] = [
        maskIn(request.body.toString()),
        /\[API_KEY_\w{8}\]/.exec(request.body.toString())?.[0],
      ];
      const call = (name: string) => ({
        id: name,
        type: 'function',
        function: { name, arguments: JSON.stringify({ to: email, key: secret }) },
      });
      return {
        body: JSON.stringify({
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant',
                content: `Key ${secret}`,
                tool_calls: [call('deploy'), call('note')],
              },
            },
          ],
        }),
      };
    });
    const quoted = '"anna b"@example.com';
    const { text, status } = await chat(user(`Deploy with ${KEY} and tell ${ANNA}. ${quoted}`));
    assert.equal(status, 200, text);
    assert.ok(!sent().includes(KEY), sent());
    const { message } = JSON.parse(text).choices[0];
    assert.match(message.content, /^Key \[API_KEY_\w{8}\]$/);
    assert.deepEqual(JSON.parse(message.tool_calls[0].function.arguments), { to: ANNA, key: KEY });
    const note = JSON.parse(message.tool_calls[1].function.arguments);
    assert.equal(note.to, ANNA);
    assert.match(note.key, /^\[API_KEY_\w{8}\]$/);
  });

  test('restores values in streams, wherever the provider cuts them, with the providers’ packages', async () => {
    says((mask) => `Dear reader, I wrote to ${mask} and to ${mask} today.`);
    const due = `Dear reader, I wrote to ${ANNA} and to ${ANNA} today.`;
    const openai = openaiClient(gateway.address, gateway.key);
    let text = '';
    const chunks = await openai.chat.completions.create({
      model: 'm',
      messages: user(`Write to ${ANNA}.`),
      stream: true,
    });
    for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? '';
    assert.equal(text, due);
    const anthropic = anthropicClient(gateway.address, gateway.key);
    const message = { model: 'm', max_tokens: 9, messages: user(`Write to ${ANNA}.`) };
    assert.equal(await anthropic.messages.stream(message).finalText(), due);
    const response = await openai.responses
      .stream({ model: 'm', input: `Write to ${ANNA}.` })
      .finalResponse();
    assert.equal(response.output_text, due);
  });

  test('restores values in live streams as they arrive, and secrets in arguments of named tools', async () => {
    await setting({ streaming: 'live' });
    const prose = 'The report is ready, and my team has read it in full. '.repeat(8);
    says((mask) => `Dear reader, I wrote to ${mask.toLowerCase()}, that is ${mask}. ${prose}`);
    const live = await chat(user(`Write to ${ANNA}.`), { stream: true });
    assert.equal(live.headers.get('x-service-output'), 'live');
    const openai = openaiClient(gateway.address, gateway.key);
    const request = { model: 'm', messages: user(`Write to ${ANNA} with ${KEY}.`), stream: true as const };
    let text = '';
    for await (const chunk of await openai.chat.completions.create(request))
      text += chunk.choices[0]?.delta.content ?? '';
    assert.equal(text, `Dear reader, I wrote to ${ANNA}, that is ${ANNA}. ${prose}`);

    for (const [tool, due] of [
      ['deploy', KEY],
      ['note', null],
    ] as const) {
      testProvider.answer((sentRequest) => {
        const secret = /\[API_KEY_\w{8}\]/.exec(sentRequest.body.toString())?.[0] ?? '';
        return { toolCalls: [{ name: tool, arguments: JSON.stringify({ key: secret }) }] };
      });
      let json = '';
      for await (const chunk of await openai.chat.completions.create(request))
        for (const call of chunk.choices[0]?.delta.tool_calls ?? []) json += call.function?.arguments ?? '';
      if (due === null) assert.match(JSON.parse(json).key, /^\[API_KEY_\w{8}\]$/);
      else assert.equal(JSON.parse(json).key, due);
    }
    await setting({ streaming: 'buffered' });
  });

  test('restores nothing in a link that arrives in pieces', async () => {
    testProvider.answer((request) => ({
      body: [`[x](`, maskIn(request.body.toString()), `)`]
        .map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
        .join(''),
      headers: { 'content-type': 'text/event-stream' },
    }));
    const { text } = await chat(user(`Write to ${ANNA}.`), { stream: true });
    assert.ok(!text.includes(ANNA), text);
  });

  test('blocks a secret in a response with restored values, and records no value in an event', async () => {
    says((mask) => `${mask} has the key ${KEY}`);
    const { text, status } = await chat(user(`Write to ${ANNA}.`));
    assert.equal(status, 403, text);
    assert.ok(!text.includes(ANNA));
    const { events } = await gateway.storage.events.page(gateway.account.organizationId, { limit: 5 });
    assert.ok(!JSON.stringify(events).includes(ANNA));
  });

  test('does not apply to a project with one-way masks', async () => {
    await setting({ masking: 'one_way' });
    says(() => 'I wrote to [EMAIL].');
    const { text } = await chat(user(`Write to ${ANNA}.`));
    assert.ok(sent().includes('Write to [EMAIL].'), sent());
    assert.equal(JSON.parse(text).choices[0].message.content, 'I wrote to [EMAIL].');
  });
});
