import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GuardResponse } from '@csg/shared/contract';
import { type EncodedFile, readGuardRequest } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import {
  fileBytes,
  isSentToService,
  messageBytes,
  questionOf,
  replacementsOf,
} from '../../../apps/desktop/src/inspect/guard-exchange.ts';

function ask(slots: readonly TextSlot[], files: readonly EncodedFile[] = [], model: string | null = null) {
  const asked = [...slots.keys()].filter((index) => isSentToService(slots[index]!));
  return questionOf({ reading: { slots, model }, direction: 'input', host: 'chatgpt.com' }, asked, files);
}

test("texts become messages by role; ids, names and the provider's own credentials are left out", () => {
  const question = ask(
    [
      { path: '/a', role: 'system', text: 'be a helpful one' },
      { path: '/b', role: 'document', text: 'what the file says' },
      { path: '/c', role: 'user', text: '3f2504e0-4f89-11d3-9a0c-0305e82c3301' },
      { path: '/d~key', role: 'user', text: 'someMember', isKey: true },
      { path: '/e', role: 'credential', text: 'a credential of a tool' },
      { path: '/f', role: 'user', text: 'hi' },
    ],
    [],
    'gpt-4o',
  );
  assert.deepEqual(question, {
    request: {
      messages: [
        { role: 'system', content: 'be a helpful one' },
        { role: 'tool', content: 'what the file says' },
      ],
      direction: 'input',
      destination_host: 'chatgpt.com',
      model: 'gpt-4o',
    },
    slotOf: [0, 1],
  });
  assert.equal(isSentToService({ path: '/f', role: 'user', text: 'hi' }), false);
});

test("a tool's description is marked as one, so that the service reads it as the device does", () => {
  const { request } = ask([
    { path: '/tools/0/description', role: 'tool_definition', text: 'Adds two numbers.' },
  ]);
  assert.deepEqual(request.messages, [
    { role: 'system', type: 'tool_definition', content: 'Adds two numbers.' },
  ]);
  const [slot] = readGuardRequest(request).slots;
  assert.equal(slot?.role, 'tool_definition');
});

test("metadata comes first, so that the user's last words stay last", () => {
  const question = ask([
    { path: '/a', role: 'user', text: 'Summarize the page.' },
    { path: '/b', role: 'tool_result', text: 'The page says this.' },
    { path: '/c', role: 'metadata', text: 'kim@example.com' },
    { path: '/d', role: 'identifier', text: 'trace-123456' },
  ]);
  assert.deepEqual(question.slotOf, [2, 3, 0, 1]);
});

test('sizes are those of the JSON that is sent', () => {
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
    mark: 'pdf' as const,
    notice: null,
  };
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const { messages, media } = ask(slots, [file]).request;
  assert.deepEqual(
    slots.map((slot) => messageBytes(slot)),
    messages.map((message) => bytes(message) + 1),
  );
  assert.equal(fileBytes(file), bytes(media?.[0]) + 1);
});

test('identifiers are sent as such, and timestamps are not sent', () => {
  const slots = [
    { path: '/id', role: 'identifier', text: 'tooluse_5rgLsv5-m5Y_fPWC9qvF6y' },
    { path: '/a', role: 'user', text: '1760000000', isNumber: true },
    { path: '/b', role: 'user', text: '1760000000123.5', isNumber: true },
    { path: '/c', role: 'user', text: '4111111111111111', isNumber: true },
  ] as const;
  const question = ask(slots);
  assert.deepEqual(question.request.messages, [
    { role: 'user', content: '', tool_call_id: 'tooluse_5rgLsv5-m5Y_fPWC9qvF6y' },
    { role: 'user', content: '4111111111111111' },
  ]);
  const response = {
    redacted_messages: [
      { role: 'user', content: '', tool_call_id: '[API_KEY]' },
      { role: 'user', content: '[CREDIT_CARD]' },
    ],
  } as unknown as GuardResponse;
  const changes = replacementsOf(question, slots, response);
  assert.deepEqual([...changes!.keys()], [0, 3]);
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
      mark: 'pdf' as const,
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

test('texts that are too short to matter, ids, times and credentials are not sent', () => {
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
    assert.equal(isSentToService({ path: '/a', role: 'user', ...part }), isSent, JSON.stringify(part));
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
  const unchanged = [
    { role: 'user', content: '' },
    { role: 'user', content: 'mail a@b.cc' },
    { role: 'user', content: 'as it was' },
  ];
  assert.deepEqual(respond(unchanged), new Map());
  assert.deepEqual([...respond(unchanged.with(1, { role: 'user', content: 'mail [EMAIL]' }))!.keys()], [0]);
  assert.equal(respond(null), null);
});
