import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import { decideExchange } from '../../../apps/desktop/src/inspect/decide-exchange.ts';
import { planTurn } from '../../../apps/desktop/src/inspect/plan-turn.ts';
import { readRequest } from '../../../apps/desktop/src/inspect/read-request.ts';
import { textFacts } from '../../../apps/desktop/src/inspect/text-facts.ts';
import { NO_MEMORY } from '../../../apps/desktop/src/inspect/text-memory.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';

const MAIL = 'mara.lind@norrvik-post.com';
const PLACE = { method: 'POST', host: 'api.anthropic.com', path: '/v1/messages' };
const BASH = [{ name: 'Bash', input_schema: { type: 'object', properties: { command: {} } } }];
const user = (content: unknown) => ({ role: 'user', content });
const MESSAGES = [
  user(`Did ${MAIL} write it?`),
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'git log' } }],
  },
  user([{ type: 'tool_result', tool_use_id: 't', content: `Author: Mara <${MAIL}>` }]),
  { role: 'assistant', content: `Yes, ${MAIL}, not other@example.com.` },
  user('Thanks.'),
];

function read(tools: readonly object[]) {
  const bytes = new TextEncoder().encode(JSON.stringify({ max_tokens: 5, tools, messages: MESSAGES }));
  return readRequest({ ...PLACE, body: { kind: 'json', bytes } });
}

test('tells of each text what only the whole body shows', () => {
  const reading = read(BASH);
  const facts = textFacts(reading);
  const of = (start: string) => facts(reading.slots.findIndex(({ text }) => text.startsWith(start)));
  const working = ['email', 'phone', 'ip_address'];
  assert.deepEqual(of('Author'), { is_code: true, working });
  assert.deepEqual(of('git log'), { working });
  assert.deepEqual(of('Did'), { is_code: true, working });
  assert.deepEqual(of('Yes'), { carried: [MAIL] });
});

test('without tools nothing is working data', () => {
  const reading = read([]);
  const facts = textFacts(reading);
  for (const [index, { text }] of reading.slots.entries()) {
    const { working, carried } = facts(index);
    assert.deepEqual([working, carried], [undefined, undefined], text);
  }
});

test('the engine on the device leaves working data as the service does, unless the policy masks it', () => {
  const sentUnder = (masksWorkingData: boolean): string => {
    const reading = read(BASH);
    const turn = planTurn({ reading, direction: 'input', host: PLACE.host, scope: '' }, NO_MEMORY);
    const outcomes = [{ kind: 'no-answer', reason: 'timeout' }] as const;
    const action = decideExchange(compilePolicy(testPolicy({ masksWorkingData })), {
      ...{ ...PLACE, direction: 'input', reading, turn, outcomes, nowMs: 0, newEventId: 'evt_1' },
    });
    return action.kind === 'redact' ? String(reading.write(action.replacements).body) : action.kind;
  };
  const left = sentUnder(false);
  assert.ok(left.includes(`<${MAIL}>`) && left.includes(`Yes, ${MAIL}, not [EMAIL].`), left);
  const masked = sentUnder(true);
  assert.ok(masked.includes('Did [EMAIL] write it?'), masked);
});
