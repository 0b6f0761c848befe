import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByName, readGuardRequest, redactedMessages } from '@csg/shared/providers';
import { finish, type TextSlot } from '@csg/shared/text';
import { conversationFrom, deviceReadingOf } from '../../../shared/providers/device-reading.ts';

const BODY = {
  model: 'm',
  system: 'Be brief.',
  tools: [{ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Who wrote it?' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { 'a key': 'git log' } }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't', content: 'Author: Mara' },
        { type: 'text', text: 'number', amount: 4111111111111111 },
      ],
    },
  ],
};
const read = formatByName('anthropic-messages').readRequest(BODY, () => JSON.stringify(BODY));
const all = [...read.slots.keys()];
const contents = (indexes: readonly number[]) =>
  indexes.map((index) => ({ role: 'user', content: read.slots[index]!.text }));
const plain = ({ path, role, text, isKey = false, isNumber = false }: TextSlot) => ({
  ...{ path, role, text, isKey, isNumber },
});

test('the conversation of a body is the same again: slots, roles, messages, authors', () => {
  const again = conversationFrom(
    deviceReadingOf(read, all, () => ({})),
    contents(all),
  );
  assert.deepEqual(again?.slots.map(plain), read.slots.map(plain));
  const shape = ({ messages }: Pick<typeof read, 'messages'>) =>
    messages.map(({ role, origin, position, slots }) => ({
      role,
      origin,
      position,
      slots: slots.map(plain),
    }));
  assert.deepEqual(shape(again!), shape(read));
});

test('of some texts, only their messages are told', () => {
  const results = all.filter((index) => read.slots[index]!.role === 'tool_result');
  const reading = deviceReadingOf(read, results, () => ({ is_code: true }));
  assert.deepEqual(reading.messages, [{ role: 'user', origin: 'user', path: '/messages/2', index: 2 }]);
  assert.equal(reading.texts[0]?.is_code, true);
  const again = conversationFrom(reading, contents(results))!;
  assert.deepEqual(again.messages[0]?.slots, again.slots);
});

test('texts without a message, or with one that is not told, stand alone; a reading of other messages is none', () => {
  const texts = [
    { path: '/q', role: 'user' as const },
    { path: '/r', role: 'user' as const, message: 7 },
  ];
  const two = [
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
  ];
  assert.deepEqual(
    conversationFrom({ messages: [], texts }, two)?.messages.map(({ slots }) => slots.length),
    [2],
  );
  assert.equal(conversationFrom({ messages: [], texts }, two.slice(1)), null);
  assert.equal(conversationFrom({ messages: [], texts }, [{ role: 'user', content: null }, two[1]!]), null);
});

test('guard reads the texts of a device in their places, writes them back, and reads the files beside them', () => {
  const device = deviceReadingOf(read, all, () => ({}));
  const media = [
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'of the file' } },
  ];
  const request = { messages: contents(all), media };
  const { slots } = readGuardRequest(request, undefined, device);
  assert.deepEqual(slots.slice(0, all.length).map(plain), read.slots.map(plain));
  assert.equal(slots.at(-1)?.text, 'of the file');
  const at = slots.findIndex(({ text }) => text === 'Author: Mara');
  const written = finish(
    redactedMessages(request, slots, new Map([[at, [{ start: 8, end: 12, text: '[X]' }]]]), device),
  );
  assert.equal(written[at]?.content, 'Author: [X]');
  assert.deepEqual(written.toSpliced(at, 1), contents(all).toSpliced(at, 1));
});
