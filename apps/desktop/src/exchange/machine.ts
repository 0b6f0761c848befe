/**
 * State machine of one exchange with any host, from the head of the request to the end of the response: events in,
 * actions out. Knows no socket, no clock and no policy: verdicts come in as events. Pure; run-exchange.ts performs the
 * actions.
 */
import type { ExchangeAction, ExchangeEvent } from './events.ts';
import {
  type ExchangeState,
  type ExchangeStep,
  finish,
  finishWith,
  hasResponded,
  isOpen,
  unchanged,
} from './exchange-state.ts';
import { onRequest, onRequestBytes, onRequestEnd, onRequestVerdict, sendAgain } from './request-side.ts';
import {
  onPieceVerdict,
  onReleased,
  onResponse,
  onResponseBytes,
  onResponseEnd,
  onResponseVerdict,
  onWaited,
} from './response-side.ts';

export function exchangeStep(state: ExchangeState, event: ExchangeEvent): ExchangeStep {
  switch (event.type) {
    case 'request':
      return onRequest(state, event.head);
    case 'request-bytes':
      return onRequestBytes(state, event.bytes);
    case 'request-end':
      return onRequestEnd(state, event.trailers);
    case 'request-verdict':
      return onRequestVerdict(state, event.verdict);
    case 'response':
      return onResponse(state, event.head);
    case 'response-bytes':
      return onResponseBytes(state, event.bytes);
    case 'response-end':
      return onResponseEnd(state, event.trailers);
    case 'response-verdict':
      return onResponseVerdict(state, event.verdict);
    case 'released':
      return onReleased(state, event.bytes);
    case 'waited':
      return onWaited(state);
    case 'piece-verdict':
      return onPieceVerdict(state, event.bytes, event.verdict);
    case 'upstream-error':
      return onUpstreamError(state, event.code, event.mayRepeat);
    case 'client-gone':
      return onClientGone(state);
    case 'failed':
      return onFailed(state, event.name);
  }
}

function onUpstreamError(state: ExchangeState, code: string, mayRepeat: boolean): ExchangeStep {
  if (!isOpen(state)) return unchanged(state);
  const again = mayRepeat ? sendAgain(state) : null;
  if (again !== null) return again;
  if (state.response.at === 'done') return finish(state, []);
  if (state.response.at !== 'awaited') return finish(state, [...brokenOff(state), { type: 'break' }]);
  return finishWith(state, 502, `${state.head?.target.host} could not be reached (${code}).`);
}

/** Cancels the request to the provider. A pending verdict may still need recording. */
function onClientGone(state: ExchangeState): ExchangeStep {
  if (state.response.at === 'done' && state.request.at !== 'sending') return unchanged(state);
  const isEvaluating = state.request.at === 'evaluating';
  return {
    state: {
      ...state,
      request: isEvaluating ? state.request : { at: 'dropped' },
      response: { at: 'done' },
      repeatable: null,
    },
    actions: [...(isOpen(state) ? [{ type: 'abort' } as const] : []), ...brokenOff(state)],
  };
}

/** A stream that was sent in part is recorded. */
function brokenOff({ response, prompt }: ExchangeState): ExchangeAction[] {
  if (response.at !== 'releasing' || prompt === null) return [];
  return [{ type: 'evaluate-released', prompt, head: response.head }];
}

/** Fails closed: nothing unevaluated is sent, and the user reads why; a response that has begun is broken off. */
function onFailed(state: ExchangeState, name: string): ExchangeStep {
  const isUnanswered = state.response.at !== 'done' && !hasResponded(state);
  const step = isUnanswered
    ? finishWith(state, 502, `Content Security Agent could not handle this request (${name}).`)
    : finish(state, [...brokenOff(state), { type: 'break' }]);
  return isOpen(state) ? { state: step.state, actions: [{ type: 'abort' }, ...step.actions] } : step;
}
