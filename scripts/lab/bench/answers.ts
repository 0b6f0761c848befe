/** What the benchmark's provider says: about 1 KB whole, or 50 chunks and an end. */
import { mixedText } from './texts.ts';

const about = {
  id: 'chatcmpl-bench',
  created: 1_760_000_000,
  model: 'gpt-4o-bench',
  system_fingerprint: 'fp_bench',
};

export const ANSWER = Buffer.from(
  JSON.stringify({
    ...about,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: mixedText(600, 7), refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 212, completion_tokens: 148, total_tokens: 360 },
  }),
);

const WORDS = mixedText(50 * 12, 8);

function frame(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices })}\n\n`;
}

/** 50 chunks; the end travels with the last one, as providers send it. */
export const CHUNKS: readonly Buffer[] = Array.from({ length: 50 }, (_, i) => {
  const content = WORDS.slice(i * 12, i * 12 + 12);
  if (i === 0) return Buffer.from(frame({ role: 'assistant', content }, null));
  if (i < 49) return Buffer.from(frame({ content }, null));
  return Buffer.from(`${frame({ content }, null)}${frame({}, 'stop')}data: [DONE]\n\n`);
});

export const STREAMED = Buffer.concat(CHUNKS);
