import { chooseTreatment } from '../inspect/choose-route.ts';
import type { CompiledPolicy } from '../inspect/compile-policy.ts';
import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { EvaluationTools, InspectedRequest } from '../inspect/evaluate-reading.ts';
import { type ResponseWatch, watchResponse } from '../inspect/evaluate-response.ts';
import { watchFrames } from '../inspect/watch-frames.ts';
import type { ConnectionTarget, OpenUpstream } from '../upstream/open-request.ts';
import type { ClientEnd } from './client-end.ts';
import { evaluateRequestBody } from './evaluate-bodies.ts';
import { type ExchangeAction, type ExchangeEvent, headerText, type RequestHead } from './events.ts';
import { EXCHANGE_START } from './exchange-state.ts';
import { createFrameReader, framingOf } from './framed-body.ts';
import { exchangeStep } from './machine.ts';
import { createProviderEnd, type ProviderEnd } from './provider-end.ts';
import { contentEncodingOf, MAX_RESPONSE_BYTES } from './response-side.ts';
import { createStreamDelivery, WAITING_TIMES } from './stream-delivery.ts';

/** The rules of an exchange, fixed from its first byte to its last even if the configuration changes. */
export interface ExchangeRules {
  readonly compiled: CompiledPolicy;
  readonly access: EvaluationTools['access'];
  readonly maskDigest: EvaluationTools['maskDigest'];
}

export interface ExchangeParts {
  readonly tools: Omit<EvaluationTools, 'access' | 'maskDigest'>;
  readonly openUpstream: OpenUpstream;
  readonly record: (event: DecisionEvent) => void;
  readonly counters: ExchangeCounters;
}

export interface ExchangeCounters {
  requests: number;
  blocked: number;
  redacted: number;
  noResponses: number;
}

/** One function for each type of action. */
type Performers = {
  readonly [Type in ExchangeAction['type']]: (action: Extract<ExchangeAction, { type: Type }>) => void;
};

type Feed = (event: ExchangeEvent) => void;

/** Pauses of both directions, held by the machine or by the receiving side. */
interface Flows {
  readonly request: Valve<'machine' | 'provider'>;
  readonly response: Valve<'machine' | 'client'>;
}

/** Performs the machine's actions on real connections. Never throws: an internal error ends only this exchange. */
export function runExchange(
  parts: ExchangeParts,
  rules: ExchangeRules,
  target: ConnectionTarget,
  client: ClientEnd,
): void {
  parts.counters.requests++;
  const { compiled } = rules;
  const { headers, authority, version } = client.head;
  const contentType = headerText(headers, 'content-type');
  const treatment = chooseTreatment(compiled, { host: target.host, authority, version, contentType });
  const head: RequestHead = { ...client.head, target, treatment };
  const waiting: ExchangeEvent[] = [];
  let state = EXCHANGE_START;
  let isStepping = false;

  /** Handles one event at a time: events triggered by an action wait for the other actions of the step. */
  function feed(event: ExchangeEvent): void {
    waiting.push(event);
    if (isStepping) return;
    isStepping = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) step(next);
    isStepping = false;
  }

  function step(event: ExchangeEvent): void {
    const next = exchangeStep(state, event);
    state = next.state;
    try {
      for (const action of next.actions) perform(action);
    } catch (error) {
      if (event.type === 'failed') client.break();
      else waiting.unshift({ type: 'failed', name: (error as Error).name });
    }
    if (state.response.at === 'done' || state.response.at === 'relaying') performer.stop();
  }

  const provider = createProviderEnd(parts.openUpstream, {
    response: (response) => feed({ type: 'response', head: response }),
    bytes: (bytes) => feed({ type: 'response-bytes', bytes }),
    end: (trailers) => feed({ type: 'response-end', trailers }),
    error: ({ code, mayRepeat }) => feed({ type: 'upstream-error', code, mayRepeat }),
    drain: () => flows.request.release('provider'),
  });
  const flows: Flows = {
    request: createValve({ pause: client.pause, resume: client.read }, ['machine']),
    response: createValve(provider, []),
  };
  const performer = createPerformer(parts, rules, head, client, provider, flows, feed);
  const { perform } = performer;
  client.listen({
    bytes: (bytes) => feed({ type: 'request-bytes', bytes }),
    end: (trailers) => feed({ type: 'request-end', trailers }),
    gone: () => feed({ type: 'client-gone' }),
    drain: () => flows.response.release('client'),
  });
  feed({ type: 'request', head });
}

function createPerformer(
  parts: ExchangeParts,
  { compiled, access, maskDigest }: ExchangeRules,
  head: RequestHead,
  client: ClientEnd,
  provider: ProviderEnd,
  flows: Flows,
  feed: Feed,
): { readonly perform: (action: ExchangeAction) => void; readonly stop: () => void } {
  const { target, method, rawHeaders, version } = head;
  const isSigned = headerText(head.headers, 'authorization').startsWith('AWS4-');
  const inspected: InspectedRequest = {
    ...{ compiled, host: target.host, path: head.path, method, rawHeaders, isSigned },
  };
  const tools: EvaluationTools = { ...parts.tools, access, maskDigest };
  const failed = (error: Error): void => feed({ type: 'failed', name: error.name });
  const delivery = createStreamDelivery(inspected, tools, provider, WAITING_TIMES, feed);
  let watch: ResponseWatch | null = null;
  const perform: Performers = {
    'read-request': () => flows.request.release('machine'),
    'hold-request': () => flows.request.hold('machine'),
    'drop-request': () => client.drop(),
    'send-continue': () => client.sendContinue(),
    'evaluate-request': ({ body }) =>
      void evaluateRequestBody(inspected, head.headers, body, tools).then(
        (verdict) => feed({ type: 'request-verdict', verdict }),
        failed,
      ),
    record: ({ event }) => parts.record(event),
    count({ counter }) {
      parts.counters[counter]++;
    },
    open: ({ path, changes }) =>
      provider.open({ target, isHttp2: version === '2.0', method, path, rawHeaders, changes }),
    send({ bytes }) {
      if (!provider.write(bytes)) flows.request.hold('provider');
    },
    'send-end': ({ trailers }) => provider.end(trailers),
    abort: () => provider.abort(),
    'read-response': () => flows.response.release('machine'),
    'hold-response': () => flows.response.hold('machine'),
    ...delivery.performers,
    'watch-response'({ prompt, head: response, isEvents }) {
      const framing = framingOf(response.headers);
      watch =
        framing === null
          ? watchResponse(inspected, prompt, isEvents, tools)
          : watchFrames(inspected, createFrameReader(framing, MAX_RESPONSE_BYTES), tools);
      provider.unpack(contentEncodingOf(response.headers));
    },
    'evaluate-piece': ({ bytes }) => feed({ type: 'piece-verdict', bytes, verdict: watch!.push(bytes) }),
    respond: ({ head: response, without, isFlushed }) => client.respond(response, without, isFlushed),
    'respond-bytes'({ bytes }) {
      if (!client.write(bytes)) flows.response.hold('client');
    },
    'respond-end': ({ trailers }) => client.end(trailers),
    reply: ({ reply }) => client.reply(reply),
    break: () => client.break(),
  };
  return {
    perform: (action) => (perform[action.type] as (action: ExchangeAction) => void)(action),
    stop: delivery.stop,
  };
}

/** A flow that is paused while at least one holder holds it. */
interface Valve<Holder extends string> {
  hold(holder: Holder): void;
  release(holder: Holder): void;
}

export function createValve<Holder extends string>(
  flow: { pause(): void; resume(): void },
  first: readonly Holder[],
): Valve<Holder> {
  const holders = new Set<Holder>(first);
  return {
    hold(holder) {
      holders.add(holder);
      flow.pause();
    },
    release(holder) {
      if (holders.delete(holder) && holders.size === 0) flow.resume();
    },
  };
}
