import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProbe, showProbe } from '../../../apps/cloud/src/security-testing/probe.ts';

test('a text becomes a user message; everything else is read through the slots of guard', () => {
  const text = readProbe('Hello there');
  assert.equal(text.direction, 'input');
  assert.deepEqual(
    text.conversation.slots.filter((slot) => slot.role === 'user').map((slot) => slot.text),
    ['Hello there'],
  );
  const whole = {
    direction: 'output' as const,
    messages: [
      { role: 'assistant', content: 'I said' },
      { role: 'tool', content: [{ type: 'text', text: 'it says' }] },
    ],
    retrieved_context: [{ content: 'it is written', source: 'wiki' }],
    context: { tool_calls: [{ name: 'mail', args: { to: 'them' } }] },
  };
  const { conversation, direction } = readProbe(whole);
  const { slots } = conversation;
  assert.equal(direction, 'output');
  const roleOf = (words: string) => slots.find((slot) => slot.text === words)?.role;
  assert.equal(roleOf('I said'), 'assistant');
  assert.equal(roleOf('it says'), 'tool_result');
  assert.equal(roleOf('it is written'), 'document');
  assert.equal(roleOf('them'), 'tool_call');
  assert.equal(
    showProbe(whole),
    'assistant: I said\ntool: [{"type":"text","text":"it says"}]\ndocument wiki: it is written\ntool call: {"name":"mail","args":{"to":"them"}}',
  );
  assert.equal(showProbe('Hello'), 'Hello');
});
