import type { RequestVerdict } from '../inspect/evaluate-request.ts';
import type { ExchangeAction, GatheredBody, RequestHead } from './events.ts';
import {
  type ExchangeState,
  type ExchangeStep,
  finish,
  finishWith,
  type Repeatable,
  unchanged,
} from './exchange-state.ts';
import { type HeldBytes, heldPieces, heldWhole, hold } from './held-bytes.ts';

/** Larger bodies, compressed or decompressed, are not searched for text. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

type Evaluating = Extract<ExchangeState['request'], { at: 'evaluating' }>;

const AS_IT_CAME = { changes: {}, body: null, trailers: [] };

export function onRequest(before: ExchangeState, head: RequestHead): ExchangeStep {
  if (before.head !== null) return unchanged(before);
  const state = { ...before, head };
  switch (head.treatment) {
    case 'misdirected':
      return finishWith(state, 421, 'This connection leads to another host.');
    case 'pass': {
      const { path, hasBody } = head;
      return hasBody
        ? openPassing(state, { path, changes: {} }, null, null)
        : openWhole(state, { ...AS_IT_CAME, path });
    }
    case 'hold':
      if (head.hasBody) return evaluate(state, { kind: 'opaque' }, null, null);
      return evaluate(state, { kind: 'none' }, null, []);
    case 'read':
      if (!head.hasBody) return evaluate(state, { kind: 'none' }, null, []);
      return { state: { ...state, request: { at: 'gathering', held: null } }, actions: readBody(head) };
  }
}

export function onRequestBytes(state: ExchangeState, bytes: Uint8Array): ExchangeStep {
  const { request } = state;
  switch (request.at) {
    case 'gathering': {
      const held = hold(request.held, bytes);
      if (held.size <= MAX_BODY_BYTES)
        return { state: { ...state, request: { ...request, held } }, actions: [] };
      const { state: next, actions } = evaluate(state, { kind: 'too-large' }, held, null);
      return { state: next, actions: [{ type: 'hold-request' }, ...actions] };
    }
    case 'evaluating':
      return { state: { ...state, request: { ...request, held: hold(request.held, bytes) } }, actions: [] };
    case 'sending':
      return { state, actions: [{ type: 'send', bytes }] };
    default:
      return unchanged(state);
  }
}

export function onRequestEnd(state: ExchangeState, trailers: readonly string[]): ExchangeStep {
  const { request } = state;
  switch (request.at) {
    case 'gathering':
      return evaluate(state, { kind: 'whole', bytes: heldWhole(request.held) }, null, trailers);
    case 'evaluating':
      return { state: { ...state, request: { ...request, ended: request.ended ?? trailers } }, actions: [] };
    case 'sending':
      return { state: { ...state, request: { at: 'sent' } }, actions: [{ type: 'send-end', trailers }] };
    default:
      return unchanged(state);
  }
}

/** Records the verdict before it is carried out. */
export function onRequestVerdict(state: ExchangeState, verdict: RequestVerdict): ExchangeStep {
  const { request, head } = state;
  if (request.at !== 'evaluating' || head === null) return unchanged(state);
  const silence: ExchangeAction[] = verdict.isUnanswered ? [{ type: 'count', counter: 'noResponses' }] : [];
  const recorded = (counter: 'blocked' | 'redacted' | null): ExchangeAction[] => [
    ...silence,
    ...(counter === null ? [] : [{ type: 'count', counter } as const]),
    ...(verdict.event === null ? [] : [{ type: 'record', event: verdict.event } as const]),
  ];
  // The client has left: nothing is sent, so only a block took effect.
  if (state.response.at === 'done') {
    const gone: ExchangeState = { ...state, request: { at: 'dropped' } };
    return { state: gone, actions: verdict.kind === 'block' ? recorded('blocked') : silence };
  }
  switch (verdict.kind) {
    case 'block': {
      const reply = { ...verdict.reply, eventId: verdict.event.eventId };
      return finish(state, [...recorded('blocked'), { type: 'reply', reply }]);
    }
    case 'rewrite': {
      const step = open({ ...state, prompt: verdict.prompt }, request, head.path, verdict);
      return { state: step.state, actions: [...recorded('redacted'), ...step.actions] };
    }
    case 'forward': {
      const step = open({ ...state, prompt: verdict.prompt }, request, head.path, null);
      return { state: step.state, actions: [...recorded(null), ...step.actions] };
    }
  }
}

/** `rewritten`: null: it is sent unchanged. */
function open(
  state: ExchangeState,
  { body, held, ended }: Evaluating,
  itsPath: string,
  rewritten: Extract<RequestVerdict, { kind: 'rewrite' }> | null,
): ExchangeStep {
  const path = rewritten?.path ?? itsPath;
  const changes = rewritten?.headers === undefined ? {} : { values: rewritten.headers };
  if (rewritten !== null && rewritten.body !== null) {
    const ofBody = { contentLength: rewritten.body.length, isDecoded: true };
    return openWhole(state, {
      ...{ path, body: rewritten.body, trailers: [] },
      changes: { ...changes, ...ofBody },
    });
  }
  if (body.kind === 'opaque' || body.kind === 'too-large')
    return openPassing(state, { path, changes }, held, ended);
  const bytes = body.kind === 'whole' ? body.bytes : null;
  return openWhole(state, { path, changes, body: bytes, trailers: ended ?? [] });
}

/** Repeats a request that the provider dropped unread. Null: it cannot be repeated. */
export function sendAgain(state: ExchangeState): ExchangeStep | null {
  if (state.repeatable === null) return null;
  const { path, changes, body, trailers } = state.repeatable;
  return {
    state: { ...state, repeatable: null },
    actions: [{ type: 'open', path, changes }, ...sendAll(body, trailers)],
  };
}

function evaluate(
  state: ExchangeState,
  body: GatheredBody,
  held: HeldBytes | null,
  ended: readonly string[] | null,
): ExchangeStep {
  return {
    state: { ...state, request: { at: 'evaluating', body, held, ended } },
    actions: [{ type: 'evaluate-request', body }],
  };
}

/** Opens the request with the part of its body that has arrived; the rest follows as it comes. */
function openPassing(
  state: ExchangeState,
  address: Pick<Repeatable, 'path' | 'changes'>,
  held: HeldBytes | null,
  ended: readonly string[] | null,
): ExchangeStep {
  return {
    state: { ...state, request: { at: ended === null ? 'sending' : 'sent' } },
    actions: [
      { type: 'open', ...address },
      ...heldPieces(held).map((bytes) => ({ type: 'send', bytes }) as const),
      ...(ended === null ? readBody(state.head!) : [{ type: 'send-end', trailers: ended } as const]),
    ],
  };
}

/** Opens the request with its complete body. */
function openWhole(state: ExchangeState, request: Repeatable): ExchangeStep {
  const { path, changes, body, trailers } = request;
  return {
    state: { ...state, request: { at: 'sent' }, repeatable: request },
    actions: [{ type: 'open', path, changes }, ...sendAll(body, trailers)],
  };
}

function sendAll(body: Uint8Array | null, trailers: readonly string[]): ExchangeAction[] {
  const end = { type: 'send-end', trailers } as const;
  return body === null || body.length === 0 ? [end] : [{ type: 'send', bytes: body }, end];
}

function readBody({ expectsContinue }: RequestHead): ExchangeAction[] {
  const read = { type: 'read-request' } as const;
  return expectsContinue ? [{ type: 'send-continue' }, read] : [read];
}
