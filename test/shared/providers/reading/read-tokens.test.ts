import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ExtractedBody, formatByName } from '../../../../shared/providers/index.ts';

const textsOf = (reading: ExtractedBody): string[] =>
  reading.slots.map((slot) => `${slot.role} ${slot.path} ${slot.text}`);

it('readAnswer reads log probabilities as two texts, not as thousands', () => {
  const token = (text: string) => ({
    token: text,
    logprob: -1,
    bytes: [...Buffer.from(text)],
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

it('bytes that spell something else than their token are a text of their own', () => {
  const secret = 'AKIA🔑';
  const bytes = [...Buffer.from(secret)].map((byte) => ({ token: 'x', logprob: 0, bytes: [byte] }));
  const content = [...bytes, { token: 'y', top_logprobs: [{ token: 'z', bytes: [...Buffer.from(secret)] }] }];
  const chat = formatByName('openai-chat');
  const whole = chat.readResponse({ choices: [{ index: 0, logprobs: { content } }] });
  const frames = content.map((one) => ({ choices: [{ index: 0, delta: {}, logprobs: { content: [one] } }] }));
  const stream = chat.readStream(frames.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''));
  const asked = chat.readRequest({
    messages: [{ role: 'assistant', content: 'xxy', logprobs: { content } }],
  });
  for (const read of [whole, stream, asked])
    assert.ok(
      textsOf(read).some((text) => /^assistant \S+~bytes AKIA🔑$/u.test(text)),
      textsOf(read).join('\n'),
    );
  assert.ok(textsOf(whole).includes(`other #joined:/choices/0/logprobs~others ${secret}\nz`));
  const reader = chat.readFrames()!;
  assert.equal(
    reader.read(`data: ${JSON.stringify(frames[0])}\n\n`).isMore,
    true,
    'live: held until the end',
  );
});
