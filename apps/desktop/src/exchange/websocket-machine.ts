/**
 * State machine of a WebSocket to an AI host, once both ends are open: events in, actions out. A message of the client
 * is forwarded after its verdict and in its order. Pure; relay-websocket.ts performs the actions.
 */
import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { MessageVerdict } from '../inspect/evaluate-message.ts';

export interface Message {
  readonly bytes: Uint8Array;
  readonly isBinary: boolean;
}

export type Side = 'client' | 'provider';

export type SocketEvent =
  | { readonly type: 'message'; readonly from: Side; readonly message: Message }
  /** The verdict on the oldest client message without one. */
  | { readonly type: 'client-verdict'; readonly verdict: MessageVerdict }
  | {
      readonly type: 'provider-verdict';
      readonly message: Message;
      readonly verdict: { readonly kind: 'forward' | 'block'; readonly event: DecisionEvent | null };
    }
  | { readonly type: 'closed'; readonly by: Side; readonly code: number; readonly reason: Uint8Array }
  /** An internal error. */
  | { readonly type: 'failed' };

export type SocketAction =
  | { readonly type: 'evaluate'; readonly from: Side; readonly message: Message }
  | { readonly type: 'record'; readonly event: DecisionEvent }
  | { readonly type: 'count'; readonly counter: 'blocked' | 'redacted' | 'noResponses' }
  | { readonly type: 'relay'; readonly to: Side; readonly message: Message }
  | { readonly type: 'close'; readonly side: Side; readonly code: number; readonly reason: Uint8Array }
  /** Terminates without a closing handshake: what was not evaluated is not forwarded. */
  | { readonly type: 'terminate'; readonly side: Side };

export interface SocketState {
  /** True if every message is evaluated; otherwise all pass unread. */
  readonly isInspected: boolean;
  /** Messages of the client without a verdict; the first one is being evaluated. */
  readonly waiting: readonly Message[];
  /** The client's close frame, while messages of it wait. */
  readonly closing: { readonly code: number; readonly reason: Uint8Array } | null;
  /** Directions for which an unread message is already on record. */
  readonly unreadFrom: readonly Side[];
  readonly isOver: boolean;
}

export interface SocketStep {
  readonly state: SocketState;
  /** Performed in this order. */
  readonly actions: readonly SocketAction[];
}

const HELD_BACK = new TextEncoder().encode('Held back by Content Security Agent');
const POLICY_VIOLATION = 1008;
const ABNORMAL = 1006;

export function socketStart(isInspected: boolean): SocketState {
  return { isInspected, waiting: [], closing: null, unreadFrom: [], isOver: false };
}

export function socketStep(state: SocketState, event: SocketEvent): SocketStep {
  if (state.isOver) return { state, actions: [] };
  switch (event.type) {
    case 'message':
      return onMessage(state, event.from, event.message);
    case 'client-verdict':
      return onClientVerdict(state, event.verdict);
    case 'provider-verdict':
      return onProviderVerdict(state, event.message, event.verdict);
    case 'closed':
      return onClosed(state, event.by, event.code, event.reason);
    case 'failed':
      return {
        state: over(state),
        actions: [
          { type: 'terminate', side: 'provider' },
          { type: 'terminate', side: 'client' },
        ],
      };
  }
}

function over(state: SocketState): SocketState {
  return { ...state, waiting: [], isOver: true };
}

function onMessage(state: SocketState, from: Side, message: Message): SocketStep {
  if (!state.isInspected) {
    return { state, actions: [{ type: 'relay', to: from === 'client' ? 'provider' : 'client', message }] };
  }
  if (from === 'provider') return { state, actions: [{ type: 'evaluate', from, message }] };
  return {
    state: { ...state, waiting: [...state.waiting, message] },
    actions: state.waiting.length === 0 ? [{ type: 'evaluate', from, message }] : [],
  };
}

/** Records and carries out the verdict, then continues with the next message. */
function onClientVerdict(before: SocketState, verdict: MessageVerdict): SocketStep {
  const [message, ...waiting] = before.waiting;
  if (message === undefined) return { state: before, actions: [] };
  const { state, actions: recorded } = record({ ...before, waiting }, 'client', verdict.event);
  const actions: SocketAction[] = [
    ...(verdict.isUnanswered ? [{ type: 'count', counter: 'noResponses' } as const] : []),
    ...recorded,
  ];
  if (verdict.kind === 'forward') actions.push({ type: 'relay', to: 'provider', message });
  if (verdict.kind === 'rewrite') {
    actions.push({ type: 'count', counter: 'redacted' });
    actions.push({ type: 'relay', to: 'provider', message: { bytes: verdict.text, isBinary: false } });
  }
  if (verdict.kind === 'block') {
    const bytes = new TextEncoder().encode(verdict.reply);
    actions.push({ type: 'count', counter: 'blocked' });
    actions.push({ type: 'relay', to: 'client', message: { bytes, isBinary: false } });
  }
  const [next] = waiting;
  if (next !== undefined) actions.push({ type: 'evaluate', from: 'client', message: next });
  else if (state.closing !== null) {
    return {
      state: over(state),
      actions: [...actions, { type: 'close', side: 'provider', ...state.closing }],
    };
  }
  return { state, actions };
}

function onProviderVerdict(
  before: SocketState,
  message: Message,
  verdict: { readonly kind: 'forward' | 'block'; readonly event: DecisionEvent | null },
): SocketStep {
  const { state, actions } = record(before, 'provider', verdict.event);
  if (verdict.kind === 'forward') {
    return { state, actions: [...actions, { type: 'relay', to: 'client', message }] };
  }
  return {
    state: over(state),
    actions: [
      ...actions,
      { type: 'count', counter: 'blocked' },
      { type: 'close', side: 'client', code: POLICY_VIOLATION, reason: HELD_BACK },
      { type: 'terminate', side: 'provider' },
    ],
  };
}

/** Audio comes in many small messages: that it passed unread is recorded once for each direction. */
function record(state: SocketState, from: Side, event: DecisionEvent | null): SocketStep {
  if (event === null) return { state, actions: [] };
  const actions: SocketAction[] = [{ type: 'record', event }];
  if (event.reason !== 'unread') return { state, actions };
  if (state.unreadFrom.includes(from)) return { state, actions: [] };
  return { state: { ...state, unreadFrom: [...state.unreadFrom, from] }, actions };
}

/** Waiting messages of a client that closed still get their verdict; after a broken connection they are dropped. */
function onClosed(state: SocketState, by: Side, code: number, reason: Uint8Array): SocketStep {
  if (by === 'client' && code !== ABNORMAL && state.waiting.length > 0) {
    return { state: { ...state, closing: { code, reason } }, actions: [] };
  }
  const side = by === 'client' ? 'provider' : 'client';
  return {
    state: over(state),
    actions: [code === ABNORMAL ? { type: 'terminate', side } : { type: 'close', side, code, reason }],
  };
}
