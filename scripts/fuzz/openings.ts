import type { Family } from './client-readers.ts';

type Opening = (piece: string) => unknown;
const item = (index: object, more: object): object => ({
  type: 'response.output_item.added',
  ...index,
  item: more,
});
const part = (index: object, more: object): object => ({
  type: 'response.content_part.added',
  ...index,
  part: more,
});
const first = { output_index: 0 };
const inner = { ...first, content_index: 0 };

/**
 * Events that open a text and may hold its beginning: clients append the deltas to it. By the names that
 * test/e2e/canary-streams.ts gives the texts.
 */
export const OPENINGS: Readonly<Record<Family, Readonly<Record<string, Opening>>>> = {
  '/chat/completions': {
    content: (piece) => ({
      choices: [{ index: 0, message: { role: 'assistant', content: piece }, delta: {} }],
    }),
  },
  '/messages': {
    text: (piece) => ({
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'text', text: piece },
    }),
    thinking: (piece) => ({
      type: 'message_start',
      message: { role: 'assistant', content: [{ type: 'thinking', thinking: piece, signature: '' }] },
    }),
  },
  '/responses': {
    output_text: (piece) => part(inner, { type: 'output_text', text: piece }),
    refusal: (piece) => item(first, { type: 'message', content: [{ type: 'refusal', refusal: piece }] }),
    reasoning_text: (piece) => ({
      type: 'response.created',
      response: { output: [{ type: 'reasoning', content: [{ type: 'reasoning_text', text: piece }] }] },
    }),
  },
};
