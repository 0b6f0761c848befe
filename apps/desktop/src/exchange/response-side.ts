import { isEventStream } from '@csg/shared/providers';
import type { PieceVerdict, ResponseVerdict } from '../inspect/evaluate-response.ts';
import type { Delivery, RequestReading } from '../inspect/request-reading.ts';
import type { HttpHeaders, ResponseHead } from '../upstream/open-request.ts';
import type { ExchangeAction } from './events.ts';
import { headerText } from './events.ts';
import {
  type ExchangeState,
  type ExchangeStep,
  finish,
  type HeldResponse,
  unchanged,
} from './exchange-state.ts';
import { framingOf } from './framed-body.ts';
import { heldPieces, heldWhole, hold } from './held-bytes.ts';

/** Maximum size of a response that is held back whole. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** The same for event streams, in which each word takes about a hundred bytes and more: 130,000 words. */
const MAX_STREAM_BYTES = 32 * 1024 * 1024;

/** Compressions that can be undone while a body is streamed. */
const KNOWN_PACKINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

/** How a response is read: whole before it is sent, piece by piece while it is sent, or not at all. */
type Plan =
  | { readonly kind: 'relay' }
  | { readonly kind: 'gather' }
  | { readonly kind: 'stream'; readonly delivery: Delivery; readonly isEvents: boolean }
  | { readonly kind: 'unread'; readonly why: string };

/** Headers that no longer apply to a body that is decompressed or changed. */
const OF_ITS_BYTES = ['content-encoding', 'content-length'];
const WAITING = new TextEncoder().encode(': waiting\n\n');

export function onResponse(before: ExchangeState, head: ResponseHead): ExchangeStep {
  if (before.response.at !== 'awaited') return unchanged(before);
  const state = { ...before, repeatable: null };
  const { prompt } = state;
  const isRead = prompt !== null && head.status < 300 && state.head?.method !== 'HEAD';
  if (!isRead) return relay(state, head);
  const plan = planOf(head, prompt);
  const whole = { head, held: null, isEvents: false, hasBegun: false };
  switch (plan.kind) {
    case 'relay':
      return relay(state, head);
    case 'gather':
      return { state: { ...state, response: { at: 'gathering', ...whole } }, actions: [] };
    case 'stream':
      return plan.isEvents && plan.delivery !== 'watched'
        ? holdStream(state, prompt, head, plan.delivery === 'live')
        : watch(state, prompt, head, plan.isEvents);
    case 'unread':
      return {
        state: { ...state, response: { at: 'evaluating', ...whole, ended: null } },
        actions: unread(prompt, head, plan.why),
      };
  }
}

/** Holds the stream whole, or only the parts that cannot be sent yet. */
function holdStream(
  state: ExchangeState,
  prompt: RequestReading,
  head: ResponseHead,
  isLive: boolean,
): ExchangeStep {
  const plain: ResponseHead = { ...head, headers: { ...head.headers, 'content-encoding': undefined } };
  const held = { head: plain, held: null, isEvents: true, hasBegun: isLive };
  const awaited = { type: 'await-stream', head } as const;
  if (!isLive) return { state: { ...state, response: { at: 'gathering', ...held } }, actions: [awaited] };
  return {
    state: { ...state, response: { at: 'releasing', ...held, isQuiet: false } },
    actions: [
      awaited,
      { type: 'release-stream', prompt, head },
      { type: 'respond', head, without: OF_ITS_BYTES, isFlushed: true },
    ],
  };
}

function watch(
  state: ExchangeState,
  prompt: RequestReading,
  head: ResponseHead,
  isEvents: boolean,
): ExchangeStep {
  const without = contentEncodingOf(head.headers) === '' ? [] : OF_ITS_BYTES;
  return {
    state: { ...state, response: { at: 'watching', waiting: 0, ended: null } },
    actions: [
      { type: 'watch-response', prompt, head, isEvents },
      { type: 'respond', head, without, isFlushed: true },
    ],
  };
}

/** Sends a comment, which clients ignore, so that they do not time out. */
export function onWaited(state: ExchangeState): ExchangeStep {
  const { response } = state;
  if (!('isEvents' in response) || !response.isEvents) return unchanged(state);
  const { head, hasBegun } = response;
  if (response.at === 'releasing' && !response.isQuiet)
    return unchanged({ ...state, response: { ...response, isQuiet: true } });
  return {
    state: { ...state, response: { ...response, hasBegun: true } },
    actions: [
      ...(hasBegun ? [] : [{ type: 'respond', head, without: OF_ITS_BYTES, isFlushed: true } as const]),
      { type: 'respond-bytes', bytes: WAITING },
    ],
  };
}

export function onReleased(state: ExchangeState, bytes: Uint8Array): ExchangeStep {
  const { response } = state;
  const actions = [{ type: 'respond-bytes', bytes } as const];
  // This was the last part to be sent before a stream that became too large is evaluated.
  if (response.at === 'evaluating') return { state, actions };
  if (response.at !== 'releasing') return unchanged(state);
  return { state: { ...state, response: { ...response, isQuiet: false } }, actions };
}

export function onResponseBytes(state: ExchangeState, bytes: Uint8Array): ExchangeStep {
  const { response, prompt } = state;
  switch (response.at) {
    case 'gathering':
    case 'releasing': {
      const held = hold(response.held, bytes);
      const isReleasing = response.at === 'releasing';
      const released: ExchangeAction[] = isReleasing ? [{ type: 'release-piece', bytes }] : [];
      const maxBytes = response.isEvents ? MAX_STREAM_BYTES : MAX_RESPONSE_BYTES;
      if (held.size <= maxBytes)
        return { state: { ...state, response: { ...response, held } }, actions: released };
      const why = `The response is larger than ${maxBytes} bytes.`;
      // The unsent part of a stream comes with the verdict.
      const rest = isReleasing ? null : held;
      return {
        state: { ...state, response: { ...response, at: 'evaluating', held: rest, ended: null } },
        actions: [...released, ...unread(prompt!, response.head, why)],
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
      return unchanged(state);
  }
}

export function onResponseEnd(state: ExchangeState, trailers: readonly string[]): ExchangeStep {
  const { response, prompt } = state;
  switch (response.at) {
    case 'gathering':
    case 'releasing': {
      const { head, held } = response;
      return {
        state: { ...state, response: { ...response, at: 'evaluating', ended: trailers } },
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
      return unchanged(state);
  }
}

/** Records the verdict before it is carried out. If the client of a stream has left, it is only recorded. */
export function onResponseVerdict(state: ExchangeState, verdict: ResponseVerdict): ExchangeStep {
  const { response } = state;
  const recorded = recordOf(verdict);
  if (response.at !== 'evaluating') return { state, actions: response.at === 'done' ? recorded : [] };
  const { head, ended, hasBegun } = response;
  if (verdict.kind === 'block') {
    return finish(state, [...recorded, { type: 'abort' }, ...blockWith(response, verdict)]);
  }
  const isOther = response.isEvents || verdict.bytes !== undefined;
  const begin = {
    type: 'respond',
    head,
    without: isOther ? OF_ITS_BYTES : [],
    isFlushed: ended === null,
  } as const;
  const actions: ExchangeAction[] = [
    ...recorded,
    ...(hasBegun ? [] : [begin]),
    ...piecesOf(response, verdict.bytes).map((bytes) => ({ type: 'respond-bytes', bytes }) as const),
  ];
  if (ended === null) {
    const relaying: ExchangeState = { ...state, response: { at: 'relaying' } };
    return { state: relaying, actions: [...actions, { type: 'read-response' }] };
  }
  const last = end(state, ended);
  return { state: last.state, actions: [...actions, ...last.actions] };
}

/** Ends a blocked stream in the form that its clients expect. */
function blockWith(
  { head, hasBegun }: HeldResponse,
  { event, reply, frames }: Extract<ResponseVerdict, { kind: 'block' }>,
): ExchangeAction[] {
  if (hasBegun) return endWith(frames ?? null);
  if (frames === undefined) return [{ type: 'reply', reply: { ...reply, eventId: event.eventId } }];
  return [{ type: 'respond', head, without: OF_ITS_BYTES, isFlushed: false }, ...endWith(frames)];
}

function recordOf(verdict: ResponseVerdict): ExchangeAction[] {
  return [
    ...(verdict.isUnanswered ? [{ type: 'count', counter: 'noResponses' } as const] : []),
    ...(verdict.kind === 'block' ? [{ type: 'count', counter: 'blocked' } as const] : []),
    ...(verdict.event === null ? [] : [{ type: 'record', event: verdict.event } as const]),
  ];
}

/** `bytes`: replaces the evaluated bytes; bytes that arrived later follow. */
function piecesOf(
  { held, ended }: Extract<ExchangeState['response'], { at: 'evaluating' }>,
  bytes: Uint8Array | undefined,
): readonly Uint8Array[] {
  if (bytes === undefined) return heldPieces(held);
  return [...(bytes.length === 0 ? [] : [bytes]), ...(ended === null ? heldPieces(held) : [])];
}

/** `frames` end an event stream in its own form; null: the response breaks off. */
function endWith(frames: string | null): ExchangeAction[] {
  if (frames === null) return [{ type: 'break' }];
  return [
    { type: 'respond-bytes', bytes: new TextEncoder().encode(frames) },
    { type: 'respond-end', trailers: [] },
  ];
}

export function onPieceVerdict(state: ExchangeState, bytes: Uint8Array, verdict: PieceVerdict): ExchangeStep {
  const { response } = state;
  if (response.at !== 'watching') return unchanged(state);
  const { event } = verdict;
  if (verdict.kind === 'block') {
    return finish(state, [
      { type: 'count', counter: 'blocked' },
      { type: 'record', event: verdict.event },
      { type: 'abort' },
      ...endWith(verdict.frame),
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

/** The request may still be in progress: a provider may respond before it has all of it. */
function end(state: ExchangeState, trailers: readonly string[]): ExchangeStep {
  return { state: { ...state, response: { at: 'done' } }, actions: [{ type: 'respond-end', trailers }] };
}

function relay(state: ExchangeState, head: ResponseHead): ExchangeStep {
  // Without a length the head is sent first, because the first piece may be late; otherwise together with the body.
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
  const framing = framingOf(head.headers);
  if (framing?.isFramed === true) return { kind: 'stream', delivery: 'watched', isEvents: false };
  const isEvents = isEventStream(type);
  const isJson = /^application\/(?:[\w.+-]+\+)?json/i.test(type);
  const length = Number(head.headers['content-length'] ?? Number.NaN);
  // JSON of unknown shape and without a length may be a stream: holding it back would block the page.
  if (framing !== null) return { kind: 'gather' };
  if (isJson && (prompt.format !== null || length <= MAX_RESPONSE_BYTES)) return { kind: 'gather' };
  if (isEvents || isJson || /^text\/|^application\/(?:x-)?(?:ndjson|javascript|xml)/i.test(type)) {
    const packing = contentEncodingOf(head.headers);
    return packing === '' || KNOWN_PACKINGS.has(packing)
      ? { kind: 'stream', delivery: prompt.delivery, isEvents }
      : { kind: 'unread', why: 'The response uses an unknown encoding.' };
  }
  if (head.status === 204 || length === 0) return { kind: 'relay' };
  return { kind: 'unread', why: 'The response is not text.' };
}

/** Returns an empty string if the body is not compressed. */
export function contentEncodingOf(headers: HttpHeaders): string {
  const encoding = headerText(headers, 'content-encoding').trim().toLowerCase();
  return encoding === 'identity' ? '' : encoding;
}
