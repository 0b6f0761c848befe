import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEndpoint, formatOf, replacementsByPath, writeTexts } from '@csg/shared/providers';

const found = (host: string, path: string) => {
  const endpoint = findEndpoint({ method: 'POST', host, path });
  assert.ok(endpoint, `${host}${path} has no endpoint`);
  return formatOf(endpoint);
};
const texts = (reading: { slots: readonly { role: string; text: string }[] }) =>
  reading.slots.map(({ role, text }) => `${role}: ${text}`);

test('each app is found where its prompts go, and nowhere else', () => {
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

test('ChatGPT: what is typed, what was answered, and what an attached file says', () => {
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

test('Claude: prompt and attachments, told apart, and masked in their place', () => {
  const source =
    '{"prompt":"hi kim@example.com","attachments":[{"file_name":"a.txt","extracted_content":"in the file"}],"n":1.0}';
  const dialect = found('claude.ai', '/api/organizations/o/chat_conversations/c/completion');
  const { slots } = dialect.readRequest(JSON.parse(source));
  assert.ok(texts({ slots }).includes('document: in the file'));
  const index = slots.findIndex(({ text }) => text.startsWith('hi kim'));
  const changes = replacementsByPath(slots, new Map([[index, [{ start: 3, end: 18, text: '[EMAIL]' }]]]));
  assert.equal(writeTexts(source, changes), source.replace('kim@example.com', '[EMAIL]'));
});

test('JSON inside of JSON, as Gemini sends every prompt, is read', () => {
  const inner = JSON.stringify([['my \u0007 question']]);
  const { slots } = found('gemini.google.com', '/x/StreamGenerate').readRequest([null, inner]);
  assert.ok(slots.some(({ text }) => text.includes('question')));
});

test('every app says no in words its page can show', () => {
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

test('ChatGPT streams deltas in a form of its own; their texts are read together', () => {
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
