import { isEventStream } from '@csg/shared/providers';
import type { PieceVerdict, ResponseVerdict } from '../inspect/evaluate-response.ts';
import type { RequestReading } from '../inspect/request-reading.ts';
import type { HttpHeaders, ResponseHead } from '../upstream/open-request.ts';
import type { ExchangeAction } from './events.ts';
import { headerText } from './events.ts';
import { type ExchangeState, type ExchangeStep, finish, stay } from './exchange-state.ts';
import { heldPieces, heldWhole, hold } from './held-bytes.ts';

/** Responses are kept back whole up to this size. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** Ways of packing that can be undone while a body passes. */
const KNOWN_PACKINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

/** How a response is read: whole before it passes, piece by piece while it does, or not at all. */
type Plan =
  | { readonly kind: 'relay' }
  | { readonly kind: 'gather' }
  | { readonly kind: 'watch'; readonly isEvents: boolean }
  | { readonly kind: 'unread'; readonly why: string };

export function onResponse(before: ExchangeState, head: ResponseHead): ExchangeStep {
  if (before.response.at !== 'awaited') return stay(before);
  const state = { ...before, repeatable: null };
  const { prompt } = state;
  const isRead = prompt !== null && head.status < 300 && state.head?.method !== 'HEAD';
  if (!isRead) return relay(state, head);
  const plan = planOf(head, prompt);
  switch (plan.kind) {
    case 'relay':
      return relay(state, head);
    case 'gather':
      return { state: { ...state, response: { at: 'gathering', head, held: null } }, actions: [] };
    case 'watch': {
      const without = packingOf(head.headers) === '' ? [] : ['content-encoding', 'content-length'];
      return {
        state: { ...state, response: { at: 'watching', waiting: 0, ended: null } },
        actions: [
          { type: 'watch-response', prompt, head, isEvents: plan.isEvents },
          { type: 'respond', head, without, isFlushed: true },
        ],
      };
    }
    case 'unread':
      return {
        state: { ...state, response: { at: 'evaluating', head, held: null, ended: null } },
        actions: unread(prompt, head, plan.why),
      };
  }
}

export function onResponseBytes(state: ExchangeState, bytes: Uint8Array): ExchangeStep {
  const { response, prompt } = state;
  switch (response.at) {
    case 'gathering': {
      const held = hold(response.held, bytes);
      if (held.size <= MAX_RESPONSE_BYTES)
        return { state: { ...state, response: { ...response, held } }, actions: [] };
      const why = `The response is larger than ${MAX_RESPONSE_BYTES} bytes.`;
      return {
        state: { ...state, response: { at: 'evaluating', head: response.head, held, ended: null } },
        actions: unread(prompt!, response.head, why),
      };
    }
    case 'evaluating':
      return {
        state: { ...state, response: { ...response, held: hold(response.held, bytes) } },
        actions: [],
      };
    case 'relaying':
      return { state, actions: [{ type: 'respond-bytes', bytes }] };
    case 'watching':
      return {
        state: { ...state, response: { ...response, waiting: response.waiting + 1 } },
        actions: [{ type: 'evaluate-piece', bytes }],
      };
    default:
      return stay(state);
  }
}

export function onResponseEnd(state: ExchangeState, trailers: readonly string[]): ExchangeStep {
  const { response, prompt } = state;
  switch (response.at) {
    case 'gathering': {
      const { head, held } = response;
      return {
        state: { ...state, response: { at: 'evaluating', head, held, ended: trailers } },
        actions: [{ type: 'evaluate-response', prompt: prompt!, head, body: { bytes: heldWhole(held) } }],
      };
    }
    case 'evaluating':
      return { state: { ...state, response: { ...response, ended: trailers } }, actions: [] };
    case 'relaying':
      return end(state, trailers);
    case 'watching':
      return response.waiting === 0
        ? end(state, trailers)
        : { state: { ...state, response: { ...response, ended: trailers } }, actions: [] };
    default:
      return stay(state);
  }
}

/** Recorded, then carried out. */
export function onResponseVerdict(state: ExchangeState, verdict: ResponseVerdict): ExchangeStep {
  const { response } = state;
  if (response.at !== 'evaluating') return stay(state);
  const recorded: ExchangeAction[] = [
    ...(verdict.isUnanswered ? [{ type: 'count', counter: 'noResponses' } as const] : []),
    ...(verdict.kind === 'block' ? [{ type: 'count', counter: 'blocked' } as const] : []),
    ...(verdict.event === null ? [] : [{ type: 'record', event: verdict.event } as const]),
  ];
  if (verdict.kind === 'block') {
    const reply = { ...verdict.reply, eventId: verdict.event.eventId };
    return finish(state, [...recorded, { type: 'abort' }, { type: 'reply', reply }]);
  }
  const { head, held, ended } = response;
  const pieces = heldPieces(held).map((bytes) => ({ type: 'respond-bytes', bytes }) as const);
  const actions: ExchangeAction[] = [
    ...recorded,
    { type: 'respond', head, without: [], isFlushed: ended === null },
    ...pieces,
  ];
  if (ended === null) {
    const relaying: ExchangeState = { ...state, response: { at: 'relaying' } };
    return { state: relaying, actions: [...actions, { type: 'read-response' }] };
  }
  const last = end(state, ended);
  return { state: last.state, actions: [...actions, ...last.actions] };
}

export function onPieceVerdict(state: ExchangeState, bytes: Uint8Array, verdict: PieceVerdict): ExchangeStep {
  const { response } = state;
  if (response.at !== 'watching') return stay(state);
  const { event } = verdict;
  if (verdict.kind === 'block') {
    const last: ExchangeAction[] =
      verdict.frame === null
        ? [{ type: 'break' }]
        : [
            { type: 'respond-bytes', bytes: new TextEncoder().encode(verdict.frame) },
            { type: 'respond-end', trailers: [] },
          ];
    return finish(state, [
      { type: 'count', counter: 'blocked' },
      { type: 'record', event: verdict.event },
      { type: 'abort' },
      ...last,
    ]);
  }
  const passed: ExchangeAction[] = [
    ...(event === null ? [] : [{ type: 'record', event } as const]),
    { type: 'respond-bytes', bytes },
  ];
  const waiting = response.waiting - 1;
  if (waiting > 0 || response.ended === null) {
    return { state: { ...state, response: { ...response, waiting } }, actions: passed };
  }
  const last = end(state, response.ended);
  return { state: last.state, actions: [...passed, ...last.actions] };
}

/** The request may still be on its way: a provider may answer before it has all of it. */
function end(state: ExchangeState, trailers: readonly string[]): ExchangeStep {
  return { state: { ...state, response: { at: 'done' } }, actions: [{ type: 'respond-end', trailers }] };
}

function relay(state: ExchangeState, head: ResponseHead): ExchangeStep {
  // A stream whose first piece is late has begun; what has a length goes out in one go with its head.
  const isFlushed = head.headers['content-length'] === undefined;
  return {
    state: { ...state, response: { at: 'relaying' } },
    actions: [{ type: 'respond', head, without: [], isFlushed }],
  };
}

function unread(prompt: RequestReading, head: ResponseHead, why: string): ExchangeAction[] {
  return [{ type: 'hold-response' }, { type: 'evaluate-response', prompt, head, body: { unread: why } }];
}

function planOf(head: ResponseHead, prompt: RequestReading): Plan {
  const type = headerText(head.headers, 'content-type');
  const isEvents = isEventStream(type);
  const isJson = /^application\/(?:[\w.+-]+\+)?json/i.test(type);
  if (isEvents && prompt.isHeldWhole) return { kind: 'gather' };
  const length = Number(head.headers['content-length'] ?? Number.NaN);
  // Without a length, JSON of a shape unknown may be a stream in disguise: keeping it back would stop the page.
  if (isJson && (prompt.format !== null || length <= MAX_RESPONSE_BYTES)) return { kind: 'gather' };
  if (isEvents || isJson || /^text\/|^application\/(?:x-)?(?:ndjson|javascript|xml)/i.test(type)) {
    const packing = packingOf(head.headers);
    return packing === '' || KNOWN_PACKINGS.has(packing)
      ? { kind: 'watch', isEvents }
      : { kind: 'unread', why: 'The response is packed in an unknown way.' };
  }
  if (head.status === 204 || length === 0) return { kind: 'relay' };
  return { kind: 'unread', why: 'The response is no text.' };
}

/** Empty where the body is as it is. */
export function packingOf(headers: HttpHeaders): string {
  const encoding = headerText(headers, 'content-encoding').trim().toLowerCase();
  return encoding === 'identity' ? '' : encoding;
}
