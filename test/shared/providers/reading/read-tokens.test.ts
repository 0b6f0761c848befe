import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ExtractedBody, formatByName } from '../../../../shared/providers/index.ts';

const textsOf = (reading: ExtractedBody): string[] =>
  reading.slots.map((slot) => `${slot.role} ${slot.path} ${slot.text}`);

it('readAnswer reads log probabilities as two texts, not as thousands', () => {
  const token = (text: string) => ({
    token: text,
    logprob: -1,
    bytes: [1],
    top_logprobs: [{ token: `${text}?`, logprob: -2, bytes: null }],
  });
  const reading = formatByName('openai-chat').readResponse({
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'ab' },
        logprobs: { content: [token('a'), token('b')], refusal: null },
      },
    ],
  });
  assert.deepEqual(textsOf(reading), [
    'assistant /choices/0/message/content ab',
    'assistant #joined:/choices/0/logprobs ab',
    'other #joined:/choices/0/logprobs~others a?\nb?',
  ]);
});
