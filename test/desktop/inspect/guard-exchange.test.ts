import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GuardResponse } from '@csg/shared/contract';
import type { EncodedFile } from '@csg/shared/providers';
import { conversationOf, type TextSlot } from '@csg/shared/text';
import {
  fileBytes,
  isAskedAbout,
  isSentToService,
  messageBytes,
  questionOf,
  replacementsOf,
} from '../../../apps/desktop/src/inspect/guard-exchange.ts';

function ask(slots: readonly TextSlot[], files: readonly EncodedFile[] = [], model: string | null = null) {
  const asked = [...slots.keys()].filter((index) => isSentToService(slots[index]!));
  const reading = { ...conversationOf(slots), model };
  return questionOf({ reading, direction: 'input', host: 'chatgpt.com', factsOf: () => ({}) }, asked, files);
}

test("texts become messages with their place in the body; the provider's own credentials are left out", () => {
  const question = ask(
    [
      { path: '/a', role: 'system', text: 'be a helpful one' },
      { path: '/b', role: 'document', text: 'what the file says' },
      { path: '/d~key', role: 'user', text: 'someMember', isKey: true },
      { path: '/e', role: 'credential', text: 'a credential of a tool' },
      { path: '/f', role: 'tool_definition', text: 'Adds two numbers.' },
      { path: '/g', role: 'user', text: '4111111111111111', isNumber: true },
    ],
    [],
    'gpt-4o',
  );
  assert.deepEqual(question, {
    request: {
      messages: [
        { role: 'system', content: 'be a helpful one' },
        { role: 'tool', content: 'what the file says' },
        { role: 'user', content: 'someMember' },
        { role: 'system', content: 'Adds two numbers.' },
        { role: 'user', content: '4111111111111111' },
      ],
      direction: 'input',
      destination_host: 'chatgpt.com',
      model: 'gpt-4o',
      context: {
        device_reading: {
          messages: [{ role: 'system', origin: 'developer', path: '' }],
          texts: [
            { path: '/a', role: 'system', message: 0 },
            { path: '/b', role: 'document', message: 0 },
            { path: '/d~key', role: 'user', message: 0, is_name: true },
            { path: '/f', role: 'tool_definition', message: 0 },
            { path: '/g', role: 'user', message: 0, is_number: true },
          ],
        },
      },
    },
    slotOf: [0, 1, 2, 4, 5],
  });
});

test('texts keep their order, whatever their role', () => {
  const question = ask([
    { path: '/c', role: 'metadata', text: 'kim@example.com' },
    { path: '/a', role: 'user', text: 'Summarize the page.' },
    { path: '/d', role: 'identifier', text: 'trace-123456' },
    { path: '/b', role: 'tool_result', text: 'The page says this.' },
  ]);
  assert.deepEqual(question.slotOf, [0, 1, 2, 3]);
});

test('a text takes at most the bytes that were counted for it', () => {
  const texts = [
    'plain text',
    '"quotes" \\ \n \u0001',
    'é漢🙂 and more',
    '\ud800 half of one',
    'x'.repeat(5_000),
  ];
  const slots = texts.map((text, i) => ({ path: `/${i}`, role: 'user' as const, text }));
  const file = {
    path: '/f',
    base64: 'JVBERi0=',
    marks: ['pdf' as const],
    notice: null,
  };
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const { messages, media, context } = ask(slots, [file]).request;
  for (const [i, slot] of slots.entries()) {
    const sent = bytes(messages[i]) + bytes(context?.device_reading?.texts[i]) + 2;
    const counted = messageBytes(slot, {});
    assert.ok(sent <= counted && counted < sent + 500, `${sent} bytes, ${counted} counted`);
  }
  assert.equal(fileBytes(file), bytes(media?.[0]) + 1);
});

test('rejects a response that does not match the request', () => {
  const slots = [{ path: '/a', role: 'user' as const, text: 'mail a@b.cc' }];
  const question = ask(slots);
  const response = { redacted_messages: [] } as unknown as GuardResponse;
  assert.equal(replacementsOf(question, slots, response), null);
  const fits = { redacted_messages: [{ role: 'user', content: 'mail [EMAIL]' }] } as unknown as GuardResponse;
  assert.deepEqual(
    replacementsOf(question, slots, fits),
    new Map([[0, [{ start: 5, end: 11, text: '[EMAIL]' }]]]),
  );
});

test('PDFs are sent, even if there is no text', () => {
  const files = [
    {
      path: '/f',
      base64: 'JVBERi0=',
      marks: ['pdf' as const],
      notice: {
        index: 0,
        reason: 'extractor_unavailable' as const,
        detail: '/f: a PDF',
        path: '/f',
        mayHold: 'text' as const,
      },
    },
  ];
  const media = [
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
  ];
  const alone = ask([], files);
  assert.deepEqual(alone.request.media, media);
  assert.deepEqual([alone.request.messages.length, alone.slotOf], [1, []]);
  const beside = ask([{ path: '/a', role: 'user', text: 'Sum this up.' }], files);
  assert.deepEqual([beside.request.media, beside.slotOf], [media, [0]]);
});

test('the service is not asked because of short texts, ids, times and credentials', () => {
  const uuid = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
  for (const [part, isSent] of [
    [{ text: '12345' }, false],
    [{ text: '123456' }, true],
    [{ text: 'n'.repeat(23), isKey: true }, false],
    [{ text: 'n'.repeat(24), isKey: true }, true],
    [{ text: uuid }, false],
    [{ text: uuid.toUpperCase() }, false],
    [{ text: `${uuid} and more` }, true],
    [{ text: 'what I say has thirty-six characters' }, true],
    [{ text: '1760000000', isNumber: true }, false],
    [{ text: '1760000000' }, true],
    [{ text: '2760000000', isNumber: true }, true],
    [{ text: 'a credential of a tool', role: 'credential' }, false],
  ] as const)
    assert.equal(isAskedAbout({ path: '/a', role: 'user', ...part }), isSent, JSON.stringify(part));
  assert.equal('model' in ask([{ path: '/a', role: 'user', text: 'Sum this up.' }]).request, false);
});

test('unchanged texts get no replacement, and a response without texts is rejected', () => {
  const slots = [
    { path: '/a', role: 'user' as const, text: 'mail a@b.cc' },
    { path: '/b', role: 'identifier' as const, text: 'trace-123456' },
    { path: '/c', role: 'user' as const, text: 'as it was' },
  ];
  const question = ask(slots);
  const respond = (redacted_messages: unknown) =>
    replacementsOf(question, slots, { redacted_messages } as GuardResponse);
  const unchanged = slots.map(({ text }) => ({ role: 'user', content: text }));
  assert.deepEqual(respond(unchanged), new Map());
  assert.deepEqual([...respond(unchanged.with(0, { role: 'user', content: 'mail [EMAIL]' }))!.keys()], [0]);
  assert.equal(respond(null), null);
});
