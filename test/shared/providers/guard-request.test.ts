import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GuardRequest } from '../../../shared/contract/index.ts';
import { readGuardRequest, redactedMessages } from '../../../shared/providers/index.ts';
import { finish, type Replacement } from '../../../shared/text/index.ts';

const textsOf = (request: GuardRequest): string[] =>
  readGuardRequest(request).slots.map((slot) => `${slot.role} ${slot.path} ${slot.text}`);

describe('readGuardRequest', () => {
  it('reads a tool description from a device as one, and nothing else of that type', () => {
    const content = 'Adds two numbers.';
    assert.deepEqual(
      textsOf({
        messages: ['system', 'user'].map((role) => ({
          role,
          type: 'tool_definition',
          name: 'adder',
          content,
        })),
      }),
      [
        'other /messages/0/name adder',
        'tool_definition /messages/0/content Adds two numbers.',
        'other /messages/1/type tool_definition',
        'other /messages/1/name adder',
        'user /messages/1/content Adds two numbers.',
      ],
    );
  });

  it('reads strings and block arrays of either provider', () => {
    assert.deepEqual(
      textsOf({
        messages: [
          { role: 'system', content: 'Be kind.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Hi. ' },
              { type: 'input_text', text: 'There.' },
            ],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'found' }] }],
          },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'look', input: { q: 'it' } }] },
          { role: 'oracle', content: 'Whoever I am.' },
        ],
      }),
      [
        'system /messages/0/content Be kind.',
        'user /messages/1/content/0/text Hi. ',
        'user /messages/1/content/1/text There.',
        'user #joined:/messages/1/content Hi. There.',
        'identifier /messages/2/content/0/tool_use_id t',
        'tool_result /messages/2/content/0/content/0/text found',
        'identifier /messages/3/content/0/id u',
        'tool_call /messages/3/content/0/name look',
        'tool_call /messages/3/content/0/input/q~key q',
        'tool_call /messages/3/content/0/input/q it',
        'other /messages/4/role oracle',
        'user /messages/4/content Whoever I am.',
      ],
    );
  });

  it('reads context.tool_calls in three spellings, names unknown members, and ignores the rest of context', () => {
    const request: GuardRequest = {
      messages: [{ role: 'user', content: 'x y' }],
      context: {
        framework: 'not read',
        metadata: { a: 'not read' },
        tool_calls: [
          { type: 'function', function: { name: 'one', arguments: '{"a":"\\u0062"}' } },
          { type: 'tool_use', name: 'two', input: { b: 'c' } },
          { name: 'three', args: { d: ['e'] } },
          { what: 'four' },
        ],
      },
    };
    const { slots, unscanned } = readGuardRequest(request);
    const texts = slots.filter((slot) => slot.role === 'tool_call').map((slot) => slot.text);
    assert.deepEqual(texts, [
      'one',
      '{"a":"\\u0062"}',
      'b',
      'two',
      'b',
      'c',
      'three',
      'd',
      'e',
      'what',
      'four',
    ]);
    assert.ok(!slots.some((slot) => slot.text.includes('not read')));
    assert.deepEqual(
      unscanned.map(({ index, reason }) => [index, reason]),
      [[3, 'unsupported_tool_call']],
    );
  });

  it('reads retrieved context as documents and lists media', () => {
    const { slots, unscanned } = readGuardRequest({
      messages: [{ role: 'user', content: 'q?' }],
      retrieved_context: [{ content: 'page one', source: 'https://a.test', metadata: { author: 'B' } }],
      media: [
        { type: 'image_url', image_url: { url: 'https://i.test/1.png' } },
        { type: 'file', file: { file_id: 'file-1' } },
      ],
    });
    assert.deepEqual(
      slots.map((slot) => `${slot.role} ${slot.text}`),
      [
        'user q?',
        'document page one',
        'other https://a.test',
        'document author',
        'document B',
        'other https://i.test/1.png',
        'identifier file-1',
      ],
    );
    assert.deepEqual(
      unscanned.map(({ index, reason }) => [index, reason]),
      [
        [0, 'url_only'],
        [1, 'stored_with_provider'],
      ],
    );
  });
});

describe('redactedMessages', () => {
  it('returns one string for every message sent, in order', () => {
    const request: GuardRequest = {
      messages: [
        { role: 'system', content: 'none' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'I am ana@e.test,' },
            { type: 'text', text: 'user' },
            { type: 'image_url', image_url: { url: 'https://i.test', detail: 'low' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'ana@e.test' }] },
          ],
        },
        { role: 'weird', content: '' },
      ],
    };
    const { slots } = readGuardRequest(request);
    const found = new Map<number, Replacement[]>();
    for (const [i, slot] of slots.entries()) {
      const at = slot.text.indexOf('ana@e.test');
      if (at !== -1) found.set(i, [{ start: at, end: at + 10, text: '[EMAIL]' }]);
    }
    assert.deepEqual(finish(redactedMessages(request, slots, found)), [
      { role: 'system', content: 'none' },
      { role: 'user', content: 'I am [EMAIL],\nuser' },
      { role: 'user', content: '[EMAIL]' },
      { role: 'weird', content: '' },
    ]);
  });
});
