import { CodedError } from '@csg/shared/contract';
import type { DialectName } from '@csg/shared/providers';
import { SpanKind } from '@opentelemetry/api';
import type { DecisionRecord, Decisions } from '../storage/storage.ts';
import type { Upstream, UpstreamRequest } from '../upstream/send.ts';
import type { WebhookAnswer, WebhookPost, WebhookSender } from '../webhooks/outbound/webhook-sender.ts';
import type { RequestTraces } from './request-traces.ts';
import type { Deed } from './span.ts';

/** Of what clients name as they like. */
const MOST_CHARACTERS = 128;

/** Each decision: the scan that came before it, and its commit. */
export function watchDecisions(traces: RequestTraces, decisions: Decisions): Decisions {
  return {
    async record(record) {
      const { event } = record;
      const trace = traces.find(event.requestId);
      if (trace === undefined) return await decisions.record(record);
      const scannedMs = traces.nowMs();
      trace.model ??= event.model;
      const committed = (fault?: string) => {
        const endMs = traces.nowMs();
        trace.deeds?.push(() => [scanDeed(event, scannedMs), recordDeed(event, scannedMs, endMs, fault)]);
      };
      try {
        await decisions.record(record);
        committed();
      } catch (error) {
        committed('The decision could not be stored.');
        throw error;
      }
    },
  };
}

function scanDeed(event: DecisionRecord['event'], endMs: number): Deed {
  return {
    name: `scan ${event.direction}`,
    kind: SpanKind.INTERNAL,
    startMs: endMs - event.latencyUs / 1000,
    endMs,
    attributes: {
      'csg.decision': event.decision,
      'csg.direction': event.direction,
      'csg.threat.type': event.threatType ?? undefined,
      'csg.event.id': event.id,
      'error.type': event.failed?.reason,
    },
    fault: event.failed ? 'The scan could not run.' : undefined,
  };
}

function recordDeed(
  event: DecisionRecord['event'],
  startMs: number,
  endMs: number,
  fault: string | undefined,
): Deed {
  const attributes = { 'csg.event.id': event.id };
  return { name: 'record', kind: SpanKind.INTERNAL, startMs, endMs, attributes, fault };
}

/** Each call of a model vendor; with `handsOn` the vendor is told which trace it belongs to. */
export function watchUpstream(traces: RequestTraces, upstream: Upstream, handsOn: boolean): Upstream {
  return {
    async send(request) {
      const trace = traces.find(request.requestId);
      if (trace === undefined) return await upstream.send(request);
      const startMs = traces.nowMs();
      const spanId = handsOn ? traces.newSpanId() : undefined;
      const { provider, dialect } = request;
      const asked = (status: number | null, error?: unknown) => {
        const endMs = traces.nowMs();
        const call = { provider, dialect, model: trace.model, status, error, startMs, endMs };
        trace.deeds?.push(() => [{ ...callDeed(call), spanId }]);
      };
      try {
        const answer = await upstream.send(
          spanId === undefined ? request : { ...request, traceHeaders: traces.headersOf(trace, spanId) },
        );
        asked(answer.status);
        return answer;
      } catch (error) {
        asked(null, error);
        throw error;
      }
    },
    close: () => upstream.close(),
  };
}

const OPERATIONS: Readonly<Record<DialectName | 'models', string>> = {
  'openai-chat': 'chat',
  'anthropic-messages': 'chat',
  'openai-responses': 'chat',
  'anthropic-count-tokens': 'count_tokens',
  models: 'list_models',
};

/** By the conventions for generative AI. */
function callDeed(call: {
  readonly provider: UpstreamRequest['provider'];
  readonly dialect: UpstreamRequest['dialect'];
  readonly model: string | null;
  readonly status: number | null;
  readonly error: unknown;
  readonly startMs: number;
  readonly endMs: number;
}): Deed {
  const { provider, status, startMs, endMs } = call;
  const model = call.model?.slice(0, MOST_CHARACTERS);
  const operation = OPERATIONS[call.dialect];
  const refused = status !== null && status >= 400 ? String(status) : undefined;
  return {
    name: model === undefined ? operation : `${operation} ${model}`,
    kind: SpanKind.CLIENT,
    startMs,
    endMs,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider.name,
      'gen_ai.request.model': model,
      ...addressOf(provider.origin),
      'http.response.status_code': status ?? undefined,
      'error.type': status === null ? faultOf(call.error) : refused,
    },
    fault:
      status === null
        ? 'The provider gave no answer that could be read.'
        : refused && 'The provider refused the request.',
  };
}

/** Our own code for it, never a message. */
function faultOf(error: unknown): string {
  if (!(error instanceof CodedError)) return 'unexpected';
  return String(error.fields?.['reason'] ?? error.code);
}

/** Each attempt to deliver a webhook: a trace of its own, for no request waits for it. */
export function watchSender(traces: RequestTraces, sender: WebhookSender): WebhookSender {
  return {
    async send(post) {
      const startMs = traces.nowMs();
      const answer = await sender.send(post);
      traces.tellAlone(postDeed(post, answer, startMs, traces.nowMs()));
      return answer;
    },
  };
}

function postDeed(post: WebhookPost, answer: WebhookAnswer, startMs: number, endMs: number): Deed {
  return {
    name: `webhook ${post.event}`,
    kind: SpanKind.CLIENT,
    startMs,
    endMs,
    attributes: {
      'http.request.method': 'POST',
      ...addressOf(post.url),
      'http.response.status_code': answer.status ?? undefined,
      'error.type': answer.error === null ? undefined : String(answer.status ?? 'no_answer'),
      'csg.webhook.event': post.event,
      'csg.webhook.delivery.id': post.deliveryId,
      'csg.webhook.test': post.isTest,
    },
    fault: answer.error ?? undefined,
  };
}

/** The host alone: paths and queries of receivers hold their secrets. */
function addressOf(url: string): { 'server.address'?: string; 'server.port'?: number } {
  const parsed = URL.parse(url);
  if (parsed === null) return {};
  const port = parsed.port === '' ? (parsed.protocol === 'http:' ? 80 : 443) : Number(parsed.port);
  return { 'server.address': parsed.hostname, 'server.port': port };
}
