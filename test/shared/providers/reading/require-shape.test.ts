import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ExtractedBody, formatByName } from '../../../../shared/providers/index.ts';
import { BodyError } from '../../../../shared/text/index.ts';

const read = (name: string, value: unknown): ExtractedBody => formatByName(name).readRequest(value);

describe('shapes', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['openai-chat', [], ''],
    ['openai-chat', null, ''],
    ['openai-chat', {}, '/messages'],
    ['openai-chat', { messages: 'hello' }, '/messages'],
    ['anthropic-messages', { messages: { 0: {} } }, '/messages'],
    ['anthropic-messages', { messages: [{ role: 'user', content: 'a' }, 'b'] }, '/messages/1'],
    ['anthropic-count-tokens', { messages: null }, '/messages'],
    ['openai-responses', { input: 7 }, '/input'],
    ['openai-embeddings', { input: 7 }, '/input'],
    ['openai-completions', {}, '/prompt'],
    ['gemini-count-tokens', { content: 'hello' }, '/contents'],
    ['openai-responses', { input: [null] }, '/input/0'],
  ];
  for (const [name, value, pointer] of cases) {
    it(`${name} rejects ${JSON.stringify(value)} at "${pointer}"`, () => {
      assert.throws(
        () => read(name, value),
        (error) => error instanceof BodyError && error.reason === 'wrong_shape' && error.pointer === pointer,
      );
    });
  }
});
