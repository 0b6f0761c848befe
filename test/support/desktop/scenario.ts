/** Scenarios of an exchange: events, and the actions of the machine as lines. */
import assert from 'node:assert/strict';
import type {
  ExchangeAction,
  ExchangeEvent,
  RequestHead,
} from '../../../apps/desktop/src/exchange/events.ts';
import { EXCHANGE_START, type ExchangeState } from '../../../apps/desktop/src/exchange/exchange-state.ts';
import { exchangeStep } from '../../../apps/desktop/src/exchange/machine.ts';
import type { DecisionEvent } from '../../../apps/desktop/src/inspect/decision-event.ts';
import type { RequestVerdict } from '../../../apps/desktop/src/inspect/evaluate-request.ts';
import type { PieceVerdict, ResponseVerdict } from '../../../apps/desktop/src/inspect/evaluate-response.ts';
import { newReading, type RequestReading } from '../../../apps/desktop/src/inspect/request-reading.ts';
import { makeDecisionEvent } from './make-decision-event.ts';

export type Scenario = readonly [event: ExchangeEvent, ...lines: string[]];

/** Plays the scenes on one exchange and compares every line with the expected one. */
export function runScenario(scenes: readonly Scenario[]): ExchangeState {
  let state = EXCHANGE_START;
  for (const [i, [event, ...expected]] of scenes.entries()) {
    const step = exchangeStep(state, event);
    state = step.state;
    assert.deepEqual(step.actions.map(lineOf), expected, `scene ${i + 1}: ${event.type}`);
  }
  return state;
}

/** Formats one action as one line. */
function lineOf(action: ExchangeAction): string {
  const words = (...parts: unknown[]): string =>
    [action.type, ...parts].filter((part) => part !== '' && part !== undefined).join(' ');
  switch (action.type) {
    case 'evaluate-request':
      return words(action.body.kind, action.body.kind === 'whole' ? textOf(action.body.bytes) : '');
    case 'record':
      return words(action.event.eventId, action.event.done);
    case 'count':
      return words(action.counter);
    case 'open':
      return words(action.path, action.changes.contentLength);
    case 'send':
    case 'evaluate-piece':
    case 'release-piece':
    case 'respond-bytes':
      return words(textOf(action.bytes));
    case 'send-end':
    case 'respond-end':
      return words(action.trailers.join(': '));
    case 'evaluate-response':
      return words('unread' in action.body ? action.body.unread : textOf(action.body.bytes));
    case 'watch-response':
      return words(action.isEvents ? 'events' : 'text');
    case 'respond':
      return words(
        action.head.status,
        ...action.without.map((name) => `-${name}`),
        action.isFlushed ? 'flushed' : '',
      );
    case 'reply':
      return words(action.reply.status);
    default:
      return words();
  }
}

const textOf = (bytes: Uint8Array): string =>
  bytes.length > 100 ? `${bytes.length} bytes` : String(Buffer.from(bytes));

const bytes = (text: string): Uint8Array => Buffer.from(text);

export const request = (part: Partial<RequestHead> = {}): ExchangeEvent => ({
  type: 'request',
  head: {
    target: { host: 'api.openai.com', port: 443, isTls: true },
    treatment: 'read',
    version: '1.1',
    method: 'POST',
    path: '/v1/chat',
    authority: 'api.openai.com',
    rawHeaders: [],
    headers: {},
    hasBody: true,
    expectsContinue: false,
    ...part,
  },
});
export const requestBytes = (text: string): ExchangeEvent => ({ type: 'request-bytes', bytes: bytes(text) });
export const requestEnd = (...trailers: string[]): ExchangeEvent => ({ type: 'request-end', trailers });
export const gone: ExchangeEvent = { type: 'client-gone' };
export const failed: ExchangeEvent = { type: 'failed', name: 'TypeError' };

const PROMPT: RequestReading = newReading({});
const BLOCK = { status: 403, contentType: 'application/json', body: '{}' };

export const eventOf = (eventId: string, done: DecisionEvent['done']): DecisionEvent =>
  makeDecisionEvent({ eventId, done });

export const requestVerdict = (
  kind: RequestVerdict['kind'],
  part: { prompt?: RequestReading | null; event?: DecisionEvent | null; body?: string; path?: string } = {},
): ExchangeEvent => {
  const prompt = part.prompt === undefined ? PROMPT : part.prompt;
  const isUnanswered = false;
  if (kind === 'forward') {
    return {
      type: 'request-verdict',
      verdict: { kind, event: part.event ?? null, prompt, isUnanswered },
    };
  }
  if (kind === 'block') {
    const verdict = { kind, event: eventOf('evt_in', 'blocked'), reply: BLOCK, isUnanswered } as const;
    return { type: 'request-verdict', verdict };
  }
  const body = part.body === undefined ? null : bytes(part.body);
  const event = eventOf('evt_in', 'redacted');
  const verdict = {
    kind,
    event,
    prompt: prompt ?? PROMPT,
    path: part.path ?? null,
    body,
    isUnanswered,
  } as const;
  return { type: 'request-verdict', verdict };
};

export const response = (status = 200, headers: Record<string, string> = {}): ExchangeEvent => ({
  type: 'response',
  head: { status, statusMessage: 'OK', rawHeaders: Object.entries(headers).flat(), headers },
});
export const JSON_TYPE = { 'content-type': 'application/json', 'content-length': '2' };
export const EVENTS_TYPE = { 'content-type': 'text/event-stream' };
export const responseBytes = (text: string): ExchangeEvent => ({
  type: 'response-bytes',
  bytes: bytes(text),
});
export const responseEnd = (...trailers: string[]): ExchangeEvent => ({ type: 'response-end', trailers });
export const upstreamError = (mayRepeat = false): ExchangeEvent => ({
  type: 'upstream-error',
  code: 'ECONNRESET',
  mayRepeat,
});
export const responseVerdict = (
  kind: ResponseVerdict['kind'],
  event: DecisionEvent | null = null,
  part: { bytes?: string; frames?: string } = {},
): ExchangeEvent => {
  const frames = part.frames === undefined ? {} : { frames: part.frames };
  const sent = part.bytes === undefined ? {} : { bytes: bytes(part.bytes) };
  const blocked = { kind: 'block', event: eventOf('evt_out', 'blocked'), reply: BLOCK, ...frames } as const;
  const verdict = kind === 'block' ? blocked : ({ kind, event, ...sent } as const);
  return { type: 'response-verdict', verdict: { ...verdict, isUnanswered: false } };
};
export const released = (text: string): ExchangeEvent => ({ type: 'released', bytes: bytes(text) });
export const waited: ExchangeEvent = { type: 'waited' };
export const pieceVerdict = (
  text: string,
  kind: PieceVerdict['kind'],
  part: { frame?: string | null; event?: DecisionEvent | null } = {},
): ExchangeEvent => {
  const frame = part.frame ?? null;
  const verdict: PieceVerdict =
    kind === 'block'
      ? { kind, event: eventOf('evt_out', 'blocked'), frame }
      : { kind, event: part.event ?? null };
  return { type: 'piece-verdict', bytes: bytes(text), verdict };
};
