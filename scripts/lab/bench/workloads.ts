import { ANSWER, STREAMED } from './answers.ts';
import { mixedText } from './texts.ts';

export interface Workload {
  readonly name: string;
  readonly about: string;
  readonly body: Buffer;
  /** The provider's answer, which has to arrive byte for byte. */
  readonly answer: Buffer;
  readonly connections: number;
}

/** Stands in every prompt once; the load puts the number of the request in its place, so that no two are alike. */
export const NUMBER = '00000000';

function chatBody(text: string, extra: object = {}): Buffer {
  return Buffer.from(
    JSON.stringify({
      model: 'gpt-4o-bench',
      messages: [
        {
          role: 'system',
          content: 'You are a careful assistant. Answer briefly and in the language of the question.',
        },
        { role: 'user', content: `${text} ${NUMBER}` },
      ],
      temperature: 0.7,
      max_tokens: 512,
      ...extra,
    }),
  );
}

/** The last turn of a conversation: all that was said before comes along again, about `bytes` of it. */
function conversation(bytes: number): Buffer {
  const turns = 18;
  const before = Array.from({ length: turns }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: mixedText(Math.floor(bytes / turns), 20 + n).toWellFormed(),
  }));
  const { messages, ...rest } = JSON.parse(chatBody('And what follows from that for').toString());
  return Buffer.from(JSON.stringify({ ...rest, messages: [messages[0], ...before, messages[1]] }));
}

/** JSON around the prompt of a chat request, in bytes. */
const FRAME = chatBody('').length;

/** A chat request of about `bytes` bytes in all. */
export function chatRequest(bytes: number, extra: object = {}): Buffer {
  let text = mixedText(bytes - FRAME, 3);
  // Other scripts take more bytes than characters, escapes too: cut until it fits.
  while (chatBody(text).length > bytes)
    text = text.slice(0, text.length - Math.max(1, (chatBody(text).length - bytes) >> 2));
  return chatBody(text.toWellFormed(), extra);
}

export const WORKLOADS = {
  small: {
    name: 'small',
    about: '1 KB chat request, 1 KB answer',
    body: chatRequest(1_024),
    answer: ANSWER,
    connections: 32,
  },
  large: {
    name: 'large',
    about: '20 KB prompt of mixed text, 1 KB answer',
    body: chatRequest(20_480),
    answer: ANSWER,
    connections: 32,
  },
  history: {
    name: 'history',
    about: 'a new question after 20 KB of conversation, 1 KB answer',
    body: conversation(20_000),
    answer: ANSWER,
    connections: 32,
  },
  stream: {
    name: 'stream',
    about: '1 KB chat request, 50 chunks streamed',
    body: chatRequest(1_024, { stream: true }),
    answer: STREAMED,
    connections: 16,
  },
  waiting: {
    name: 'waiting',
    about: '1 KB chat request, a provider that takes 20 ms',
    body: chatRequest(1_024, { user: 'wait-20' }),
    answer: ANSWER,
    connections: 128,
  },
} as const satisfies Record<string, Workload>;
