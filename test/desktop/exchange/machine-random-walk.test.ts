/** Events in any possible order: the machine keeps its promises in all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ExchangeAction,
  ExchangeEvent,
  RequestHead,
} from '../../../apps/desktop/src/exchange/events.ts';
import { EXCHANGE_START, type ExchangeState } from '../../../apps/desktop/src/exchange/exchange-state.ts';
import { exchangeStep } from '../../../apps/desktop/src/exchange/machine.ts';
import { newReading } from '../../../apps/desktop/src/inspect/request-reading.ts';
import {
  EVENTS_TYPE,
  eventOf,
  failed,
  gone,
  JSON_TYPE,
  pieceVerdict,
  released,
  request,
  requestBytes,
  requestEnd,
  requestVerdict,
  response,
  responseBytes,
  responseEnd,
  responseVerdict,
  upstreamError,
  waited,
} from '../../support/desktop/scenario.ts';
import { seededRandom } from '../../support/random.ts';

const WALKS = 20_000;
const MAX_EVENTS = 60;

/** The possible states of both connections and the evaluation. */
interface TestEnv {
  state: ExchangeState;
  readonly actions: ExchangeAction[];
  clientSends: boolean;
  isClientThere: boolean;
  isBodyOver: boolean;
  asksRequest: boolean;
  asksResponse: boolean;
  pieces: Uint8Array[];
  /** Bytes of the response that arrived, and that passed. */
  came: number;
  passed: number;
  /** Bytes of a live stream that arrived and were not released. */
  unreleased: number;
  isLive: boolean;
  isAwaited: boolean;
  /** The request to the provider: none, written to, responding, over. */
  upstream: 'none' | 'open' | 'responding' | 'over';
}

type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const TYPES = [JSON_TYPE, EVENTS_TYPE, { 'content-type': 'image/png' }, { 'content-type': 'text/plain' }];
const DELIVERIES = ['watched', 'buffered', 'live'] as const;
const isComment = (bytes: Uint8Array): boolean => String(Buffer.from(bytes)) === ': waiting\n\n';
const HEADS: readonly Partial<RequestHead>[] = [
  {},
  { treatment: 'pass' },
  { treatment: 'pass', hasBody: false },
  { method: 'HEAD', hasBody: false },
  { treatment: 'hold' },
  { expectsContinue: true },
  { treatment: 'misdirected' },
  { version: '2.0' as const },
];

/** Returns the events that may happen next, except those that cannot occur in this state. */
function possible(testEnv: TestEnv, random: Random): ExchangeEvent[] {
  const events: ExchangeEvent[] = [];
  if (testEnv.isClientThere && !testEnv.isBodyOver && testEnv.clientSends) {
    events.push(requestBytes('abc'), requestEnd(...(random() < 0.3 ? ['x-sum', '1'] : [])));
  }
  if (testEnv.asksRequest) {
    const event = random() < 0.5 ? eventOf('evt_in', 'forwarded') : null;
    events.push(
      requestVerdict('forward', { event, prompt: newReading({ delivery: pick(random, DELIVERIES) }) }),
      requestVerdict('forward', { event, prompt: null }),
      requestVerdict('block'),
      requestVerdict('rewrite', { body: 'masked' }),
      requestVerdict('rewrite', { path: '/masked' }),
    );
  }
  if (testEnv.upstream === 'open') {
    events.push(response(pick(random, [200, 201, 204, 401, 500]), pick(random, TYPES)));
  }
  if (testEnv.upstream === 'responding') events.push(responseBytes('xyz'), responseEnd());
  if (testEnv.upstream !== 'none' && testEnv.upstream !== 'over' && random() < 0.3) {
    events.push(upstreamError(random() < 0.5 && testEnv.upstream === 'open'));
  }
  if (testEnv.asksResponse) {
    const event = random() < 0.5 ? eventOf('evt_out', 'forwarded') : null;
    const bytes = 'z'.repeat(testEnv.unreleased);
    events.push(
      responseVerdict('forward', event, testEnv.isLive ? { bytes } : {}),
      responseVerdict('block'),
      responseVerdict('block', null, { frames: 'frames' }),
    );
  }
  if (testEnv.isLive && testEnv.unreleased > 0) {
    events.push(released('z'.repeat(1 + Math.floor(random() * testEnv.unreleased))));
  }
  if (testEnv.isAwaited && random() < 0.1) events.push(waited);
  const [piece] = testEnv.pieces;
  if (piece !== undefined) {
    const text = String(piece);
    events.push(
      pieceVerdict(text, 'forward', { event: random() < 0.2 ? eventOf('evt_out', 'forwarded') : null }),
      pieceVerdict(text, 'forward'),
      pieceVerdict(text, 'block', { frame: random() < 0.5 ? 'frame' : null }),
    );
  }
  if (testEnv.isClientThere && random() < 0.1) events.push(gone);
  if (random() < 0.03) events.push(failed);
  return events;
}

/** Applies an event and its actions to the environment. */
function happen(testEnv: TestEnv, event: ExchangeEvent): readonly ExchangeAction[] {
  if (event.type === 'request-end') testEnv.isBodyOver = true;
  if (event.type === 'client-gone') testEnv.isClientThere = false;
  if (event.type === 'request-verdict') testEnv.asksRequest = false;
  if (event.type === 'response-verdict') testEnv.asksResponse = false;
  if (event.type === 'piece-verdict') testEnv.pieces.shift();
  if (event.type === 'response') testEnv.upstream = 'responding';
  if (event.type === 'response-bytes') testEnv.came += event.bytes.length;
  if (event.type === 'response-end' || event.type === 'upstream-error') testEnv.upstream = 'over';
  const step = exchangeStep(testEnv.state, event);
  testEnv.state = step.state;
  if (event.type === 'released') testEnv.unreleased -= event.bytes.length;
  for (const action of step.actions) {
    testEnv.actions.push(action);
    if (action.type === 'read-request' || action.type === 'drop-request') testEnv.clientSends = true;
    if (action.type === 'hold-request') testEnv.clientSends = false;
    if (action.type === 'evaluate-request') testEnv.asksRequest = true;
    if (action.type === 'evaluate-response') testEnv.asksResponse = true;
    if (action.type === 'evaluate-piece') testEnv.pieces.push(action.bytes);
    if (action.type === 'open') testEnv.upstream = 'open';
    if (action.type === 'abort') testEnv.upstream = 'over';
    if (action.type === 'await-stream') testEnv.isAwaited = true;
    if (action.type === 'release-piece') {
      testEnv.isLive = true;
      testEnv.unreleased += action.bytes.length;
    }
    if (action.type === 'evaluate-released') testEnv.asksResponse = true;
    if (action.type === 'respond-bytes' && !isComment(action.bytes)) testEnv.passed += action.bytes.length;
  }
  return step.actions;
}

const has = (actions: readonly ExchangeAction[], type: ExchangeAction['type']): boolean =>
  actions.some((action) => action.type === type);

/** Asserts what holds after every event. */
function assertPromises(
  testEnv: TestEnv,
  event: ExchangeEvent,
  now: readonly ExchangeAction[],
  where: string,
): void {
  const { actions } = testEnv;
  const count = (type: ExchangeAction['type']): number => actions.filter((one) => one.type === type).length;
  assert.ok(count('reply') + count('respond') <= 1, `${where}: at most one response`);
  assert.ok(count('respond-end') <= 1, `${where}: at most one end`);
  const inputs = actions.filter((one) => one.type === 'record' && one.event.direction === 'input');
  const ids = inputs.map((one) => one.type === 'record' && one.event.eventId);
  assert.ok(ids.filter((id) => id === 'evt_in').length <= 1, `${where}: at most one record of the request`);

  const isAgain = count('open') === 2 && event.type === 'upstream-error' && event.mayRepeat;
  if (has(now, 'open')) assert.ok(isAgain || count('open') === 1, `${where}: retried without need`);
  if (event.type === 'client-gone') {
    assert.ok(['none', 'over'].includes(testEnv.upstream), `${where}: the provider gets nothing more`);
  }
  const isBlocked =
    (event.type === 'piece-verdict' || event.type === 'response-verdict') && event.verdict.kind === 'block';
  if (has(now, 'respond-end') && !isBlocked) {
    assert.equal(testEnv.passed, testEnv.came, `${where}: the end came before the last piece`);
  }

  // Nothing is sent before the verdict, and nothing after a block.
  const isInspected = testEnv.state.head?.treatment !== 'pass';
  const wantsVerdict = event.type !== 'request-verdict' && testEnv.state.request.at === 'evaluating';
  if (isInspected && wantsVerdict) assert.ok(!has(actions, 'open'), `${where}: sent before the verdict`);
  if (event.type === 'request-verdict' && event.verdict.kind === 'block') {
    assert.ok(!has(actions, 'open'), `${where}: forwarded and blocked`);
  }
  for (const [i, action] of now.entries()) {
    // Recorded before it is carried out.
    const isCarriedOut = ['open', 'reply', 'respond', 'respond-bytes', 'break'].includes(action.type);
    if (isCarriedOut) assert.ok(!has(now.slice(i), 'record'), `${where}: recorded too late`);
  }
  const isDone = testEnv.state.response.at === 'done';
  const isDropped = testEnv.state.request.at === 'dropped';
  if (isDone && isDropped && !has(now, 'drop-request')) {
    assert.ok(!has(now, 'send') && !has(now, 'respond-bytes'), `${where}: something after the end`);
  }
}

/** A verdict with an event is recorded exactly once; for a client that left, only a block is recorded. */
function assertRecorded(event: ExchangeEvent, before: ExchangeState, now: readonly ExchangeAction[]): void {
  if (event.type !== 'request-verdict' || before.request.at !== 'evaluating') return;
  const recorded = now.filter((action) => action.type === 'record').length;
  const isWorthIt = event.verdict.event !== null;
  const isGone = before.response.at === 'done';
  assert.equal(recorded, isWorthIt && (!isGone || event.verdict.kind === 'block') ? 1 : 0);
  assert.ok(isGone || has(now, 'open') !== has(now, 'reply'), 'either sent or rejected');
}

function walk(seed: number): TestEnv {
  const random = seededRandom(seed);
  const testEnv: TestEnv = {
    state: EXCHANGE_START,
    actions: [],
    clientSends: false,
    isClientThere: true,
    isBodyOver: false,
    asksRequest: false,
    asksResponse: false,
    pieces: [],
    came: 0,
    passed: 0,
    unreleased: 0,
    isLive: false,
    isAwaited: false,
    upstream: 'none',
  };
  const head = pick(random, HEADS);
  testEnv.isBodyOver = head.hasBody === false;
  let next: ExchangeEvent | undefined = request(head);
  for (let i = 0; next !== undefined; i++) {
    const before = testEnv.state;
    const now = happen(testEnv, next);
    const where = `seed ${seed}, event ${i} (${next.type})`;
    assertPromises(testEnv, next, now, where);
    assertRecorded(next, before, now);
    // At the deadline: endless bodies and responses are ended, and pending evaluations are decided.
    const left = possible(testEnv, random).filter(({ type }) => i < MAX_EVENTS || !type.endsWith('-bytes'));
    next = left.length === 0 ? undefined : pick(random, left);
  }
  return testEnv;
}

test('in any order: one end, one record, nothing before the verdict, never both sent and blocked', () => {
  const ends = new Map<string, number>();
  for (let seed = 1; seed <= WALKS; seed++) {
    const { state, actions, isClientThere } = walk(seed);
    assert.equal(state.response.at, 'done', `seed ${seed}: the exchange ends`);
    assert.ok(
      ['sent', 'dropped'].includes(state.request.at),
      `seed ${seed}: the request ends (${state.request.at})`,
    );
    const last = actions.findLast(({ type }) => ['reply', 'respond-end', 'break'].includes(type))?.type;
    assert.ok(
      last !== undefined || !isClientThere,
      `seed ${seed}: a client that is still connected gets an end`,
    );
    ends.set(last ?? 'left', (ends.get(last ?? 'left') ?? 0) + 1);
  }
  for (const end of ['reply', 'respond-end', 'break', 'left']) {
    assert.ok((ends.get(end) ?? 0) > WALKS / 100, `walks reach the end "${end}": ${ends.get(end)}`);
  }
});
