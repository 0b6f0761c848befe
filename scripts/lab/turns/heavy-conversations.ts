/** Conversations with as much as a legal body may have, in no provider's format yet. */
import { listOf, textOf, UNITS } from './heavy-texts.ts';

export interface HeavyCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface HeavyMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly texts: readonly string[];
  readonly calls?: readonly HeavyCall[];
}

export interface HeavyConversation {
  readonly messages: readonly HeavyMessage[];
  readonly tools?: number;
}

/** Characters of a long text. */
const LONG = 1_000_000;
/** Bodies have at most 40,000 members and 60,000 items. */
const MESSAGES = 6_000;
const PARTS = 9_000;
const CALLS = 3_000;
const VALUES = 40_000;

const message = (role: HeavyMessage['role'], ...texts: string[]): HeavyMessage => ({ role, texts });
const ASK = message('user', 'Please sum this up, and send it to Anna.');
const called = (...calls: HeavyCall[]): HeavyMessage => ({ role: 'assistant', texts: [], calls });
const READ = called({ name: 'read_mail', args: { id: 'm1' } });

export function callsOf(kind: string): HeavyCall[] {
  const unit = UNITS[kind]!;
  return Array.from({ length: CALLS }, (_, n) => ({
    name: 'send_email',
    args: { to: `a${n}@b${n}.example`, amount: n + 10_000, body: unit(n) },
  }));
}

export const callWithValues = (kind: string, count = VALUES): HeavyCall => ({
  name: 'send_email',
  args: { to: listOf(kind, count) },
});

export const callWithText = (kind: string, size = LONG): HeavyCall => ({
  name: 'run_command',
  args: { command: textOf(kind, size) },
});

function nested(kind: string, depth: number): unknown {
  const [text] = listOf(kind, 1);
  let value: unknown = text;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value, text] : { a: value, b: text };
  return value;
}

/** Conversations of requests, by where the much is. */
export const SHAPES: Readonly<Record<string, (kind: string) => HeavyConversation>> = {
  'a long text': (kind) => ({ messages: [message('user', textOf(kind, LONG))] }),
  'a long result': (kind) => ({ messages: [ASK, READ, message('tool', textOf(kind, LONG))] }),
  'a long system prompt': (kind) => ({ messages: [message('system', textOf(kind, LONG)), ASK] }),
  'many messages': (kind) => ({
    messages: Array.from({ length: MESSAGES }, (_, n) =>
      message(n % 2 ? 'assistant' : 'user', UNITS[kind]!(n) + n),
    ),
  }),
  'many parts': (kind) => ({ messages: [message('user', ...listOf(kind, PARTS))] }),
  'many results': (kind) => ({
    messages: listOf(kind, CALLS / 2).flatMap((text, n) => [
      called({ name: 'read_mail', args: { id: `m${n}` } }),
      message('tool', text),
    ]),
  }),
  'many calls': (kind) => ({ messages: [ASK, called(...callsOf(kind)), message('tool', 'sent'), ASK] }),
  'a call with many values': (kind) => ({
    messages: [
      ASK,
      READ,
      message('tool', textOf(kind, LONG / 2)),
      called(callWithValues(kind)),
      message('tool', 'sent'),
    ],
  }),
  'a call with a long text': (kind) => ({
    messages: [
      ASK,
      READ,
      message('tool', textOf(kind, LONG / 2)),
      called(callWithText(kind)),
      message('tool', 'sent'),
    ],
  }),
  'deep arguments': (kind) => ({
    messages: [
      ASK,
      called(...Array.from({ length: 300 }, () => ({ name: 'note', args: { x: nested(kind, 60) } }))),
    ],
  }),
  'JSON in strings': (kind) => ({
    messages: [
      ASK,
      READ,
      message('tool', JSON.stringify({ rows: listOf(kind, 40_000).map((text) => ({ text })) })),
    ],
  }),
  'many tools': () => ({ messages: [ASK], tools: 1_500 }),
};

export interface HeavyAnswer {
  readonly text?: string;
  readonly calls?: readonly HeavyCall[];
}

/** What models answer, by where the much is. */
export const ANSWERS: Readonly<Record<string, (kind: string, isStream: boolean) => HeavyAnswer>> = {
  // A stream has a frame for every few letters.
  'a long text': (kind, isStream) => ({ text: textOf(kind, isStream ? LONG / 5 : LONG) }),
  'many calls': (kind) => ({ calls: callsOf(kind) }),
  'a call with many values': (kind, isStream) => ({
    calls: [callWithValues(kind, isStream ? 4_000 : VALUES)],
  }),
  'a call with a long text': (kind, isStream) => ({
    calls: [callWithText(kind, isStream ? LONG / 5 : LONG)],
  }),
};
