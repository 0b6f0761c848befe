import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEndpoint, formatOf, replacementsByPath, writeTexts } from '@csg/shared/providers';
import { readWebApp } from '../../../../shared/providers/reading/read-web-app.ts';
import { GUARD_RULES } from '../../../../shared/providers/registry.ts';

const found = (host: string, path: string) => {
  const endpoint = findEndpoint({ method: 'POST', host, path });
  assert.ok(endpoint, `${host}${path} has no endpoint`);
  return formatOf(endpoint);
};
const texts = (reading: { slots: readonly { role: string; text: string }[] }) =>
  reading.slots.map(({ role, text }) => `${role}: ${text}`);

test('each app is found at the paths of its prompts, and nowhere else', () => {
  const places = [
    ['chatgpt.com', '/backend-api/f/conversation?x=1', 'chatgpt-web'],
    ['chatgpt.com', '/backend-anon/conversation', 'chatgpt-web'],
    ['claude.ai', '/api/organizations/o1/chat_conversations/c1/completion', 'claude-web'],
    [
      'gemini.google.com',
      '/_/BardChatUi/data/assistant.lamda.BardFrontendService/StreamGenerate',
      'gemini-web',
    ],
    ['copilot.microsoft.com', '/c/api/chat', 'copilot-web'],
    ['www.perplexity.ai', '/rest/sse/perplexity_ask', 'perplexity-web'],
    ['chat.mistral.ai', '/api/chat', 'mistral-web'],
  ] as const;
  for (const [host, path, name] of places) assert.equal(found(host, path).name, name);
  assert.equal(findEndpoint({ method: 'POST', host: 'chatgpt.com', path: '/ces/v1/t' }), undefined);
  assert.equal(
    findEndpoint({ method: 'POST', host: 'evilchatgpt.com', path: '/backend-api/conversation' }),
    undefined,
  );
  assert.equal(
    findEndpoint({ method: 'GET', host: 'chatgpt.com', path: '/backend-api/conversation' }),
    undefined,
  );
});

test('ChatGPT: reads the prompt, earlier responses and attached files', () => {
  const body = {
    action: 'next',
    messages: [
      { id: 'a', author: { role: 'user' }, content: { content_type: 'text', parts: ['my question'] } },
      { id: 'b', author: { role: 'assistant' }, content: { parts: ['an earlier answer'] } },
      { id: 'c', author: { role: 'system' }, content: { parts: ['posing as the developer'] } },
      { author: { role: 'tool' }, content: { parts: ['what a tool returned'] } },
    ],
    model: 'gpt-5-thinking',
  };
  const reading = found('chatgpt.com', '/backend-api/conversation').readRequest(body);
  const seen = texts(reading);
  for (const text of [
    'user: my question',
    'assistant: an earlier answer',
    'user: posing as the developer',
    'tool_result: what a tool returned',
  ]) {
    assert.ok(seen.includes(text), `${text} in ${seen.join(' | ')}`);
  }
  assert.equal(reading.model, 'gpt-5-thinking');
});

test('Claude: reads prompt and attachments separately, and masks them in place', () => {
  const source =
    '{"prompt":"hi kim@example.com","attachments":[{"file_name":"a.txt","extracted_content":"in the file"}],"n":1.0}';
  const dialect = found('claude.ai', '/api/organizations/o/chat_conversations/c/completion');
  const { slots } = dialect.readRequest(JSON.parse(source));
  assert.ok(texts({ slots }).includes('document: in the file'));
  const index = slots.findIndex(({ text }) => text.startsWith('hi kim'));
  const changes = replacementsByPath(slots, new Map([[index, [{ start: 3, end: 18, text: '[EMAIL]' }]]]));
  assert.equal(writeTexts(source, changes), source.replace('kim@example.com', '[EMAIL]'));
});

test('reads JSON inside JSON, as Gemini sends every prompt', () => {
  const inner = JSON.stringify([['my \u0007 question']]);
  const { slots } = found('gemini.google.com', '/x/StreamGenerate').readRequest([null, inner]);
  assert.ok(slots.some(({ text }) => text.includes('question')));
});

test('every app’s rejection has a format that its page can show', () => {
  for (const [host, path] of [
    ['chatgpt.com', '/backend-api/conversation'],
    ['claude.ai', '/api/organizations/o/chat_conversations/c/completion'],
    ['gemini.google.com', '/x/StreamGenerate'],
    ['copilot.microsoft.com', '/c/api/chat'],
    ['perplexity.ai', '/rest/sse/perplexity_ask'],
    ['chat.mistral.ai', '/api/chat'],
  ] as const) {
    const reply = found(host, path).rejectionOf({ message: 'Not sent, because.', eventId: 'evt_1' });
    assert.equal(reply.status, 403, host);
    assert.match(reply.body, /Not sent, because\./, host);
    JSON.parse(reply.body);
  }
});

test('joins the texts of ChatGPT’s own delta format', () => {
  const dialect = found('chatgpt.com', '/backend-api/conversation');
  const stream = ['{"p":"/message/content/parts/0","o":"append","v":"sec"}', '{"v":"ret wo"}', '{"v":"rd"}']
    .map((data) => `event: delta\ndata: ${data}\n\n`)
    .join('');
  const all = dialect.readStream(stream).slots.map(({ text }) => text);
  assert.ok(
    all.some((text) => text.includes('secret word')),
    all.join(' | '),
  );
});

test('reads the model from the body only, and a long member name as a text', () => {
  const app = { members: { attached: 'document' }, authors: { bot: 'assistant' } } as const;
  const read = (value: unknown) => readWebApp(value, 'user', app, GUARD_RULES);
  assert.equal(read({ model: 'm1' }).model, 'm1');
  for (const value of [{ model: 7 }, [{ model: 'm1' }], 'm1', null]) assert.equal(read(value).model, null);
  const name = 'n'.repeat(32);
  const longNamed = (value: object) => texts(read(value)).filter((text) => text.includes(name));
  assert.deepEqual(longNamed({ [name]: 'x' }), []);
  assert.deepEqual(longNamed({ [`${name}n`]: 'x' }), [`other: ${name}n`]);
  assert.deepEqual(texts(read({ role: 'bot', text: 'one two', attached: ['three four'] })), [
    'assistant: bot',
    'assistant: one two',
    'document: three four',
  ]);
  for (const role of ['toString', 'user', 7]) {
    const seen = texts(read({ role, constructor: 'one two' }));
    assert.ok(seen.includes('user: one two'), seen.join());
  }
  assert.ok(
    texts(read({ author: { role: 'bot' }, role: 'x', text: 'one two' })).includes('assistant: one two'),
  );
});
