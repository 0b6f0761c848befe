import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatByName, readGuardRequest } from '../../../shared/providers/index.ts';
import { conversationOf, originOf, type TextSlot, withSlots } from '../../../shared/text/index.ts';

const textsOf = ({ messages }: { messages: ReturnType<typeof conversationOf>['messages'] }) =>
  messages.map(({ role, origin, position: { path, index }, slots }) => [
    role,
    origin,
    path,
    index,
    slots.map(({ text }) => text).join('|'),
  ]);

describe('a conversation', () => {
  it('has the role and position of each text, outside messages and in them', () => {
    const reading = formatByName('openai-chat').readRequest({
      model: 'gpt-x',
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks it up' } }],
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'file', file: { filename: 'a.txt' } },
          ],
        },
        {
          role: 'assistant',
          content: 'Hi',
          tool_calls: [{ type: 'function', function: { name: 'look', arguments: 'x' } }],
        },
        { role: 'tool', content: 'it is there' },
        { role: 'narrator', content: 'Once' },
      ],
    });
    assert.deepEqual(textsOf(reading), [
      ['model', 'user', '/model', null, 'gpt-x'],
      ['tools', 'developer', '/tools', null, 'look|Looks it up'],
      ['system', 'developer', '/messages/0', 0, 'Be kind.'],
      ['user', 'user', '/messages/1', 1, 'Hello|a.txt'],
      ['assistant', 'model', '/messages/2', 2, 'Hi|look|x'],
      ['tool', 'untrusted', '/messages/3', 3, 'it is there'],
      ['narrator', 'user', '/messages/4', 4, 'narrator|Once'],
    ]);
    const attached = reading.messages[3]?.slots.map(({ role }) => originOf(role));
    assert.deepEqual(attached, ['user', 'untrusted']);
  });

  it('includes the items of other providers, and the input of guard', () => {
    const items = formatByName('openai-responses').readRequest({
      instructions: 'Be brief.',
      input: [
        { type: 'function_call_output', output: 'it rains' },
        { role: 'user', content: 'So?' },
      ],
    });
    assert.deepEqual(textsOf(items), [
      ['instructions', 'developer', '/instructions', null, 'Be brief.'],
      ['function_call_output', 'untrusted', '/input/0', 0, 'it rains'],
      ['user', 'user', '/input/1', 1, 'So?'],
    ]);
    const guarded = readGuardRequest({
      messages: [{ role: 'user', content: 'Hello', tool_calls: [{ name: 'f', args: { a: 'b' } }] }],
      context: { tool_calls: [{ name: 'g', args: {} }] },
      retrieved_context: [{ content: 'a page' }],
    } as never);
    assert.deepEqual(
      textsOf(guarded).map(([role, origin, path]) => [role, origin, path]),
      [
        ['user', 'user', '/messages/0'],
        ['tool_calls', 'model', '/context/tool_calls/0'],
        ['retrieved_context', 'untrusted', '/retrieved_context/0'],
      ],
    );
  });

  it('assigns further texts to the messages that contain them', () => {
    const slot = (path: string, text: string): TextSlot => ({ path, role: 'document', text });
    const reading = formatByName('openai-chat').readRequest({
      messages: [...'0123456789ab'].map((content) => ({ role: 'user', content })),
    });
    const more = withSlots(reading, [
      slot('/messages/1/content/0/file~pdf/visible/0', 'in one'),
      slot('/x', 'aside'),
    ]);
    assert.deepEqual(
      more.messages
        .filter(({ slots }) => slots.some(({ role }) => role === 'document'))
        .map(({ slots }) => slots.map(({ text }) => text)),
      [['1', 'in one'], ['aside']],
    );
    assert.deepEqual(
      more.slots.slice(-2).map(({ text }) => text),
      ['in one', 'aside'],
    );
    assert.equal(withSlots(reading, []), reading);
  });

  it('consisting of texts only is one message', () => {
    const slots: TextSlot[] = [{ path: '/content', role: 'assistant', text: 'a' }];
    const [message] = conversationOf(slots).messages;
    assert.deepEqual([message?.role, message?.origin, message?.slots], ['assistant', 'model', slots]);
    assert.equal(conversationOf([]).messages[0]?.origin, 'user');
  });
});
