import { CodedError } from '@csg/shared/contract';
import type { DialectName } from '@csg/shared/dialects';
import { SpanKind } from '@opentelemetry/api';
import type { DecisionRecord, Decisions } from '../storage/storage.ts';
import type { Upstream, UpstreamAnswer, UpstreamRequest } from '../upstream/send.ts';
import type { WebhookPost, WebhookSender } from '../webhooks/webhook-sender.ts';
import type { RequestTrace, RequestTraces } from './request-traces.ts';
import type { Deed } from './span.ts';

/** Of what clients name as they like. */
const MOST_CHARACTERS = 128;

/** Each decision: the scan that came before it, and its commit. */
export function watchDecisions(traces: RequestTraces, decisions: Decisions): Decisions {
  return {
    async record(record) {
      const trace = traces.find(record.event.requestId);
      if (trace === undefined) return await decisions.record(record);
      const scannedMs = traces.nowMs();
      trace.model ??= record.event.model;
      trace.deeds?.push(scanDeed(record, scannedMs));
      const committed = (fault?: string) =>
        trace.deeds?.push({
          name: 'record',
          kind: SpanKind.INTERNAL,
          startMs: scannedMs,
          endMs: traces.nowMs(),
          attributes: { 'csg.event.id': record.event.id },
          fault,
        });
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

function scanDeed({ event }: DecisionRecord, endMs: number): Deed {
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

/** Each call of a model vendor; with `handsOn` the vendor is told which trace it belongs to. */
export function watchUpstream(traces: RequestTraces, upstream: Upstream, handsOn: boolean): Upstream {
  return {
    async send(request) {
      const trace = traces.find(request.requestId);
      if (trace === undefined) return await upstream.send(request);
      const startMs = traces.nowMs();
      const spanId = traces.newSpanId();
      const asked = (answer: UpstreamAnswer | null, error?: unknown) => {
        const call = callDeed(request, trace, answer, error);
        trace.deeds?.push({ ...call, spanId, startMs, endMs: traces.nowMs() });
      };
      try {
        const answer = await upstream.send(
          handsOn ? { ...request, traceHeaders: traces.headersOf(trace, spanId) } : request,
        );
        asked(answer);
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
function callDeed(
  { provider, dialect }: UpstreamRequest,
  trace: RequestTrace,
  answer: UpstreamAnswer | null,
  error: unknown,
): Omit<Deed, 'startMs' | 'endMs'> {
  const model = trace.model?.slice(0, MOST_CHARACTERS);
  const operation = OPERATIONS[dialect];
  const status = answer?.status;
  const isRefused = status !== undefined && status >= 400;
  return {
    name: model === undefined ? operation : `${operation} ${model}`,
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider.name,
      'gen_ai.request.model': model,
      ...addressOf(provider.origin),
      'http.response.status_code': status,
      'error.type': answer === null ? faultOf(error) : isRefused ? String(status) : undefined,
    },
    fault:
      answer === null
        ? 'The provider gave no answer that could be read.'
        : isRefused
          ? 'The provider refused the request.'
          : undefined,
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
      traces.tellAlone({
        name: `webhook ${post.event}`,
        kind: SpanKind.CLIENT,
        startMs,
        endMs: traces.nowMs(),
        attributes: {
          ...postAttributes(post),
          'http.response.status_code': answer.status ?? undefined,
          'error.type': answer.error === null ? undefined : String(answer.status ?? 'no_answer'),
        },
        fault: answer.error ?? undefined,
      });
      return answer;
    },
  };
}

function postAttributes(post: WebhookPost) {
  return {
    'http.request.method': 'POST',
    ...addressOf(post.url),
    'csg.webhook.event': post.event,
    'csg.webhook.delivery.id': post.deliveryId,
    'csg.webhook.test': post.isTest,
  };
}

/** The host alone: paths and queries of receivers hold their secrets. */
function addressOf(url: string): { 'server.address'?: string; 'server.port'?: number } {
  const parsed = URL.parse(url);
  if (parsed === null) return {};
  const port = parsed.port === '' ? (parsed.protocol === 'http:' ? 80 : 443) : Number(parsed.port);
  return { 'server.address': parsed.hostname, 'server.port': port };
}
