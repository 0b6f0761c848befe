/** Nothing of a body with as much as a legal one may have is read in one piece. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { GuardRequest } from '../../../shared/contract/index.ts';
import {
  formatByName,
  readCodeResults,
  readGuardCalls,
  readGuardRequestInSteps,
  readLeafTextsInSteps,
  readToolCallsInSteps,
  toToolCall,
} from '../../../shared/providers/index.ts';
import { finish, type Steps } from '../../../shared/text/index.ts';
import { pausesOf } from '../../support/pauses.ts';

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
/** Texts between two pauses. */
const STRIDE = 64;
const chat = formatByName('openai-chat');
const user = (content: unknown) => ({ role: 'user', content });

const parts = many(9_000, (n) => ({ type: 'text', text: `item ${n}` }));
const names = Object.fromEntries(many(39_000, (n) => [`name ${n}`, n]));
/** A string of JSON with escapes in each of its values. */
const escaped = JSON.stringify({ rows: many(20_000, (n) => `say "row ${n}"`) });
const call = (n: number, args: string) => ({
  ...{ id: `c${n}`, type: 'function', function: { name: 'send', arguments: args } },
});
const calls = many(3_000, (n) => call(n, `{"to":"a${n}@ex.io"}`));
const asked = (tool_calls: readonly object[]) => ({
  messages: [user('Go on.'), { role: 'assistant', content: null, tool_calls }],
});
const guard = (message: object): GuardRequest =>
  ({ direction: 'output', messages: [message] }) as unknown as GuardRequest;
const reply = (tool_calls: readonly object[]) => ({
  choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls } }],
});
const output = calls.map((one) => ({ ...one.function, type: 'function_call', call_id: one.id, id: one.id }));
const completed = `data: ${JSON.stringify({ type: 'response.completed', response: { output } })}\n\n`;

/** Work, and how many texts or values it reads. */
const WORK: Readonly<Record<string, readonly [steps: () => Steps<unknown>, reads: number]>> = {
  'a request with many parts': [() => chat.readRequestInSteps({ messages: [user(parts)] }), 9_000],
  'a request with many messages': [
    () => chat.readRequestInSteps({ messages: many(9_000, (n) => user(`message ${n}`)) }),
    9_000,
  ],
  'a request with many numbers': [
    () => chat.readRequestInSteps({ messages: [], list: many(50_000, (n) => n) }),
    50_000,
  ],
  'a request with JSON in a string': [() => chat.readRequestInSteps({ messages: [user(escaped)] }), 20_000],
  'the same to guard': [() => readGuardRequestInSteps(guard(user(escaped))), 20_000],
  'free-form JSON': [() => readLeafTextsInSteps(parts), 9_000],
  'calls of a request': [() => readToolCallsInSteps(asked(calls)), 3_000],
  'calls of guard': [() => readGuardCalls(guard({ role: 'assistant', tool_calls: calls })), 3_000],
  'a call with many names': [() => toToolCall('', null, 'send', names), 39_000],
  'a call with JSON of many names': [
    () => readToolCallsInSteps(asked([call(0, JSON.stringify(names))])),
    39_000,
  ],
  'which results are code': [
    () => readCodeResults({ ...asked([call(0, '{}')]), list: parts, tools: [] }),
    9_000,
  ],
  'a response with many calls': [() => chat.readResponseInSteps(reply(calls), () => ''), 3_000],
  'the last frame of Responses with many calls': [
    () => formatByName('openai-responses').readStreamInSteps(completed),
    STRIDE * 3_000,
  ],
};

describe('is read in steps', () => {
  for (const [name, [steps, reads]] of Object.entries(WORK))
    test(name, () => {
      const pauses = pausesOf(steps());
      assert.ok(pauses >= Math.floor(reads / STRIDE), `${pauses} pauses`);
    });

  test('with the result that is read at once', () => {
    const body = asked([...calls, call(9, escaped)]);
    assert.deepEqual(finish(chat.readRequestInSteps(body)), chat.readRequest(body));
    const answer = reply(calls);
    const { calls: read, ...texts } = finish(chat.readResponseInSteps(answer, () => ''));
    assert.deepEqual(texts, chat.readResponse(answer));
    assert.deepEqual(
      read,
      chat.readCalls(answer, () => ''),
    );
  });
});
