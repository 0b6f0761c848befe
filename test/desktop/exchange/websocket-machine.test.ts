/** Screenplays of a WebSocket: the events, and every action that follows, in order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Side,
  type SocketAction,
  type SocketEvent,
  type SocketState,
  socketStart,
  socketStep,
} from '../../../apps/desktop/src/exchange/websocket-machine.ts';
import type { MessageVerdict } from '../../../apps/desktop/src/inspect/evaluate-message.ts';
import { makeDecisionEvent } from '../../support/desktop/make-decision-event.ts';
import { seededRandom } from '../../support/random.ts';

type Scene = readonly [event: SocketEvent, ...lines: string[]];

const message = (text: string) => ({ bytes: Buffer.from(text), isBinary: false });
const says = (from: Side, text: string): SocketEvent => ({ type: 'message', from, message: message(text) });
const event = (reason: 'unread' | null = null) => makeDecisionEvent({ eventId: 'evt_1', reason });
const verdict = (part: MessageVerdict): SocketEvent => ({ type: 'client-verdict', verdict: part });
const PASSES: MessageVerdict = { kind: 'forward', event: null, value: null, isUnanswered: false };
const BLOCKED: MessageVerdict = { kind: 'block', event: event(), reply: 'no', isUnanswered: false };
const provider = (text: string, kind: 'forward' | 'block', reason?: 'unread'): SocketEvent => ({
  type: 'provider-verdict',
  message: message(text),
  verdict: { kind, event: kind === 'block' || reason !== undefined ? event(reason ?? null) : null },
});
const closed = (by: Side, code: number): SocketEvent => ({
  type: 'closed',
  by,
  code,
  reason: Buffer.from('bye'),
});

function lineOf(action: SocketAction): string {
  switch (action.type) {
    case 'evaluate':
      return `evaluate ${action.from} ${String(action.message.bytes)}`;
    case 'relay':
      return `relay ${action.to} ${String(Buffer.from(action.message.bytes))}`;
    case 'close':
      return `close ${action.side} ${action.code}`;
    case 'terminate':
      return `terminate ${action.side}`;
    case 'count':
      return `count ${action.counter}`;
    case 'record':
      return `record ${action.event.eventId}`;
  }
}

function play(scenes: readonly Scene[], isInspected = true): void {
  let state: SocketState = socketStart(isInspected);
  for (const [i, [next, ...expected]] of scenes.entries()) {
    const step = socketStep(state, next);
    state = step.state;
    assert.deepEqual(step.actions.map(lineOf), expected, `scene ${i + 1}: ${next.type}`);
  }
}

const SCREENPLAYS: Readonly<Record<string, readonly Scene[]>> = {
  'a message waits for its verdict, and the next one for its turn': [
    [says('client', 'a'), 'evaluate client a'],
    [says('client', 'b')],
    [verdict(PASSES), 'relay provider a', 'evaluate client b'],
    [verdict(PASSES), 'relay provider b'],
    [says('client', 'c'), 'evaluate client c'],
  ],
  'a blocked message gets a reply, and the conversation continues': [
    [says('client', 'secret'), 'evaluate client secret'],
    [verdict(BLOCKED), 'record evt_1', 'count blocked', 'relay client no'],
    [says('client', 'fine'), 'evaluate client fine'],
    [verdict(PASSES), 'relay provider fine'],
  ],
  'a masked message is sent masked': [
    [says('client', 'secret'), 'evaluate client secret'],
    [
      verdict({ kind: 'rewrite', event: event(), text: Buffer.from('[KEY]'), isUnanswered: true }),
      'count noResponses',
      'record evt_1',
      'count redacted',
      'relay provider [KEY]',
    ],
  ],
  'provider messages pass piece by piece, up to the first that is blocked': [
    [says('provider', 'a'), 'evaluate provider a'],
    [provider('a', 'forward'), 'relay client a'],
    [says('provider', 'b'), 'evaluate provider b'],
    [provider('b', 'block'), 'record evt_1', 'count blocked', 'close client 1008', 'terminate provider'],
    [says('provider', 'c')],
    [says('client', 'd')],
  ],
  'uninspected audio is recorded once for each direction': [
    [says('client', 'a'), 'evaluate client a'],
    [verdict({ ...PASSES, event: event('unread') }), 'record evt_1', 'relay provider a'],
    [says('client', 'b'), 'evaluate client b'],
    [verdict({ ...PASSES, event: event('unread') }), 'relay provider b'],
    [says('provider', 'c'), 'evaluate provider c'],
    [provider('c', 'forward', 'unread'), 'record evt_1', 'relay client c'],
    [says('provider', 'd'), 'evaluate provider d'],
    [provider('d', 'forward', 'unread'), 'relay client d'],
  ],
  'the last message of a client that closes still gets its verdict': [
    [says('client', 'a'), 'evaluate client a'],
    [says('client', 'b')],
    [closed('client', 1000)],
    [verdict(PASSES), 'relay provider a', 'evaluate client b'],
    [verdict(PASSES), 'relay provider b', 'close provider 1000'],
    [closed('provider', 1000)],
  ],
  'waiting messages of a disconnected client are dropped': [
    [says('client', 'a'), 'evaluate client a'],
    [closed('client', 1006), 'terminate provider'],
    [verdict(PASSES)],
  ],
  'a provider that closes while a message waits': [
    [says('client', 'a'), 'evaluate client a'],
    [closed('provider', 1001), 'close client 1001'],
    [verdict(BLOCKED)],
  ],
  'an internal error ends both': [
    [says('client', 'a'), 'evaluate client a'],
    [{ type: 'failed' }, 'terminate provider', 'terminate client'],
    [says('provider', 'b')],
  ],
};

for (const [title, scenes] of Object.entries(SCREENPLAYS)) test(title, () => play(scenes));

test('a host that is not inspected: messages pass both ways unchanged', () => {
  const scenes: Scene[] = [
    [says('client', 'a'), 'relay provider a'],
    [says('provider', 'b'), 'relay client b'],
    [closed('client', 1000), 'close provider 1000'],
  ];
  play(scenes, false);
});

test('in any order: messages pass once, in their order, after their verdict, and nothing after the end', () => {
  for (let seed = 1; seed <= 5_000; seed++) {
    const random = seededRandom(seed);
    let state = socketStart(true);
    let sent = 0;
    let evaluated = 0;
    const passed: number[] = [];
    const ends: string[] = [];
    for (let i = 0; i < 40; i++) {
      const choice = random();
      const isAsked = state.waiting.length > 0 && evaluated === sent - state.waiting.length + 1;
      const next: SocketEvent =
        choice < 0.4 && state.closing === null
          ? says('client', String(sent++))
          : choice < 0.9 && isAsked
            ? verdict(random() < 0.7 ? PASSES : BLOCKED)
            : choice > 0.97
              ? closed(random() < 0.5 ? 'client' : 'provider', random() < 0.5 ? 1000 : 1006)
              : says('provider', 'p');
      const step = socketStep(state, next);
      if (state.isOver) assert.deepEqual(step.actions, [], `seed ${seed}: after the end`);
      state = step.state;
      for (const action of step.actions) {
        if (action.type === 'evaluate' && action.from === 'client') {
          assert.equal(Number(String(action.message.bytes)), evaluated++, `seed ${seed}: evaluated in order`);
        }
        if (action.type === 'relay' && action.to === 'provider') {
          passed.push(Number(String(action.message.bytes)));
          assert.ok(next.type === 'client-verdict', `seed ${seed}: passed without a verdict`);
        }
        if (action.type === 'close' || action.type === 'terminate') ends.push(action.side);
      }
      assert.deepEqual(
        passed,
        passed.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(passed).size, passed.length, `seed ${seed}: passed twice`);
      assert.equal(new Set(ends).size, ends.length, `seed ${seed}: ended twice`);
    }
  }
});
