import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { echo, startTestProvider, type TestProvider } from './test-provider.ts';

let testProvider: TestProvider;
let openai: OpenAI;
let anthropic: Anthropic;
before(async () => {
  testProvider = await startTestProvider();
  openai = new OpenAI({ baseURL: `${testProvider.url}/v1`, apiKey: 'sk-provider', maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: testProvider.url, apiKey: 'sk-ant', authToken: null, maxRetries: 0 });
});
afterEach(() => testProvider.reset());
after(() => testProvider.close());

const says = {
  text: 'Grüße aus Köln 🌍, in Stücken.',
  reasoning: 'First I think.',
  toolCalls: [{ name: 'get_weather', arguments: '{"city":"Köln","days":3}' }],
};
const messages = [{ role: 'user' as const, content: 'Hi' }];

describe('the stand-in provider works with the real client packages', () => {
  it('chat completions, whole', async () => {
    testProvider.answer(says);
    const { choices } = await openai.chat.completions.create({ model: 'gpt-x', messages });
    assert.equal(choices[0]!.message.content, says.text);
    assert.deepEqual(choices[0]!.message.tool_calls?.[0], {
      id: 'call_0',
      type: 'function',
      function: says.toolCalls[0],
    });
    assert.equal(choices[0]!.finish_reason, 'tool_calls');
  });

  it('chat completions, streamed', async () => {
    testProvider.answer(says);
    const stream = openai.chat.completions.stream({ model: 'gpt-x', messages });
    const { choices } = await stream.finalChatCompletion();
    assert.equal(choices[0]!.message.content, says.text);
    const [call] = choices[0]!.message.tool_calls ?? [];
    assert.equal(call?.type === 'function' && call.function.arguments, says.toolCalls[0]!.arguments);
  });

  it('messages, whole', async () => {
    testProvider.answer(says);
    const message = await anthropic.messages.create({ model: 'claude-x', max_tokens: 10, messages });
    assert.deepEqual(
      message.content.map((block) => block.type),
      ['thinking', 'text', 'tool_use'],
    );
    assert.equal(message.stop_reason, 'tool_use');
    assert.equal(message._request_id, 'req_provider_1');
  });

  it('messages, streamed', async () => {
    testProvider.answer(says);
    const stream = anthropic.messages.stream({ model: 'claude-x', max_tokens: 10, messages });
    const message = await stream.finalMessage();
    const [thinking, text, tool] = message.content;
    assert.equal(thinking?.type === 'thinking' && thinking.thinking, says.reasoning);
    assert.equal(text?.type === 'text' && text.text, says.text);
    assert.deepEqual(tool?.type === 'tool_use' && tool.input, { city: 'Köln', days: 3 });
  });

  it('responses, whole', async () => {
    testProvider.answer(says);
    const response = await openai.responses.create({ model: 'gpt-x', input: 'Hi' });
    assert.equal(response.output_text, says.text);
    assert.deepEqual(
      response.output.map((item) => item.type),
      ['reasoning', 'message', 'function_call'],
    );
  });

  it('responses, streamed', async () => {
    testProvider.answer({ ...says, refusal: 'That I may not.' });
    const response = await openai.responses.stream({ model: 'gpt-x', input: 'Hi' }).finalResponse();
    assert.equal(response.output_text, says.text);
    const call = response.output.find((item) => item.type === 'function_call');
    assert.equal(call?.arguments, says.toolCalls[0]!.arguments);
  });

  it('token counts and model lists', async () => {
    assert.equal((await anthropic.messages.countTokens({ model: 'claude-x', messages })).input_tokens, 42);
    assert.equal((await openai.models.list()).data[0]!.id, 'gpt-standin');
    assert.equal((await anthropic.models.list()).data[0]!.id, 'claude-standin');
  });

  it('returns the configured response, and records its requests', async () => {
    testProvider.answer(echo);
    const { choices } = await openai.chat.completions.create({ model: 'gpt-x', messages });
    assert.equal(choices[0]!.message.content, 'Hi');
    assert.deepEqual(JSON.parse(testProvider.lastRequest().body.toString()), { model: 'gpt-x', messages });
    assert.equal(await testProvider.lastRequest().ended, 'answered');
  });

  it('rejects as the providers do', async () => {
    const stranger = new OpenAI({ baseURL: `${testProvider.url}/v1`, apiKey: 'sk-wrong', maxRetries: 0 });
    await assert.rejects(stranger.chat.completions.create({ model: 'x', messages }), {
      status: 401,
      code: 'invalid_api_key',
    });
    await assert.rejects(anthropic.post('/v1/elsewhere'), { status: 404 });
  });
});
