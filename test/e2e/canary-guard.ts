import { dataUrl, json, type Template } from '../support/canary-template.ts';
import { samplesOf } from '../support/provider-samples.ts';

interface Message {
  readonly role: Template;
  readonly content: Template;
}

const messagesOf = (endpoint: string): readonly Message[] =>
  (samplesOf(endpoint).requests[0] as unknown as { readonly messages: readonly Message[] }).messages;

/** The input of guard: messages of every provider, and the members next to them. */
export const GUARD: Template = {
  model: 'gpt-test',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello there' },
    ...['openai-chat', 'anthropic-messages']
      .flatMap(messagesOf)
      .flatMap(({ role, content }) => (Array.isArray(content) ? [{ role, content }] : [])),
    { role: 'tool', tool_call_id: 'call_1', content: '22 degrees' },
    { role: 'narrator', name: 'kim', content: 'Once upon a time' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'lookup', arguments: json({ city: 'Paris' }) },
        },
        { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: { city: 'Paris' } },
        { name: 'lookup', args: { city: 'Paris', list: ['a street'] } },
        { unknown: 'spelling' },
      ],
      function_call: { name: 'old', arguments: json({ a: 'b' }) },
    },
  ],
  context: {
    tool_calls: [
      { type: 'function', function: { name: 'lookup', arguments: json({ city: 'Paris' }) } },
      { type: 'tool_use', name: 'lookup', input: { city: 'Paris' } },
      { name: 'lookup', args: { city: 'Paris', list: ['a street'] } },
      { unknown: 'spelling' },
    ],
  },
  retrieved_context: [{ content: 'found words', source: 'wiki', metadata: { author: 'Kim' } }],
  media: [{ type: 'file', file: { filename: 'notes.txt', file_data: dataUrl('text/plain', 'some notes') } }],
};
