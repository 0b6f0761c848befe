import { CodedError } from '@csg/shared/contract';
import { SpanKind } from '@opentelemetry/api';
import type { DecisionRecord, Decisions } from '../storage/storage.ts';
import type { Upstream, UpstreamRequest } from '../upstream/send.ts';
import type { EndpointCall, EndpointClient, EndpointResponse } from '../webhooks/outbound/endpoint-client.ts';
import type { RequestTraces } from './request-traces.ts';
import type { SpanData } from './span.ts';

/** Limit for names that clients choose. */
const MAX_CHARACTERS = 128;

/** Traces each decision: its scan, and its commit. */
export function instrumentDecisions(traces: RequestTraces, decisions: Decisions): Decisions {
  return {
    async record(record) {
      const { event } = record;
      const trace = traces.find(event.requestId);
      if (trace === undefined) return await decisions.record(record);
      const scannedMs = traces.nowMs();
      trace.model ??= event.model;
      const recordCommit = (errorMessage?: string) => {
        const endMs = traces.nowMs();
        trace.childSpans?.push(() => [
          scanSpan(event, scannedMs),
          recordSpan(event, scannedMs, endMs, errorMessage),
        ]);
      };
      try {
        await decisions.record(record);
        recordCommit();
      } catch (error) {
        recordCommit('The decision could not be stored.');
        throw error;
      }
    },
  };
}

function scanSpan(event: DecisionRecord['event'], endMs: number): SpanData {
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
    errorMessage: event.failed ? 'The scan could not run.' : undefined,
  };
}

function recordSpan(
  event: DecisionRecord['event'],
  startMs: number,
  endMs: number,
  errorMessage: string | undefined,
): SpanData {
  const attributes = { 'csg.event.id': event.id };
  return { name: 'record', kind: SpanKind.INTERNAL, startMs, endMs, attributes, errorMessage };
}

/** Traces each call of a model provider; with `propagates` the provider gets the trace headers. */
export function instrumentUpstream(traces: RequestTraces, upstream: Upstream, propagates: boolean): Upstream {
  return {
    async send(request) {
      const trace = traces.find(request.requestId);
      if (trace === undefined) return await upstream.send(request);
      const startMs = traces.nowMs();
      const spanId = propagates ? traces.newSpanId() : undefined;
      const { provider, endpoint } = request;
      const recordCall = (status: number | null, error?: unknown) => {
        const endMs = traces.nowMs();
        const call = { provider, endpoint, model: trace.model, status, error, startMs, endMs };
        trace.childSpans?.push(() => [{ ...callSpan(call), spanId }]);
      };
      try {
        const response = await upstream.send(
          spanId === undefined ? request : { ...request, traceHeaders: traces.headersOf(trace, spanId) },
        );
        recordCall(response.status);
        return response;
      } catch (error) {
        recordCall(null, error);
        throw error;
      }
    },
    close: () => upstream.close(),
  };
}

/** Follows the semantic conventions for generative AI. */
function callSpan(call: {
  readonly provider: UpstreamRequest['provider'];
  readonly endpoint: UpstreamRequest['endpoint'];
  readonly model: string | null;
  readonly status: number | null;
  readonly error: unknown;
  readonly startMs: number;
  readonly endMs: number;
}): SpanData {
  const { provider, status, startMs, endMs } = call;
  const model = call.model?.slice(0, MAX_CHARACTERS);
  const { operation } = call.endpoint;
  const errorStatus = status !== null && status >= 400 ? String(status) : undefined;
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
      'error.type': status === null ? errorTypeOf(call.error) : errorStatus,
    },
    errorMessage:
      status === null
        ? 'The provider sent no readable response.'
        : errorStatus && 'The provider rejected the request.',
  };
}

/** Returns our own error code, never a message. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof CodedError)) return 'unexpected';
  return String(error.fields?.['reason'] ?? error.code);
}

/** Traces each attempt to deliver a webhook, as a separate trace because no request waits for it. */
export function instrumentSender(traces: RequestTraces, sender: EndpointClient): EndpointClient {
  return {
    ...sender,
    async send(post) {
      const startMs = traces.nowMs();
      const response = await sender.send(post);
      traces.emitAlone(postSpan(post, response, startMs, traces.nowMs()));
      return response;
    },
  };
}

function postSpan(post: EndpointCall, response: EndpointResponse, startMs: number, endMs: number): SpanData {
  return {
    name: `webhook ${post.event}`,
    kind: SpanKind.CLIENT,
    startMs,
    endMs,
    attributes: {
      'http.request.method': 'POST',
      ...addressOf(post.url),
      'http.response.status_code': response.status ?? undefined,
      'error.type': response.error === null ? undefined : String(response.status ?? 'no_answer'),
      'csg.webhook.event': post.event,
      'csg.webhook.delivery.id': post.deliveryId,
      'csg.webhook.test': post.isTest,
    },
    errorMessage: response.error ?? undefined,
  };
}

/** Returns the host only: paths and queries of endpoints contain secrets. */
function addressOf(url: string): { 'server.address'?: string; 'server.port'?: number } {
  const parsed = URL.parse(url);
  if (parsed === null) return {};
  const port = parsed.port === '' ? (parsed.protocol === 'http:' ? 80 : 443) : Number(parsed.port);
  return { 'server.address': parsed.hostname, 'server.port': port };
}
