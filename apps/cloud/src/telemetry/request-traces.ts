import type { IncomingHttpHeaders } from 'node:http';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  TraceFlags,
  trace as traceApi,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { RandomIdGenerator, type ReadableSpan } from '@opentelemetry/sdk-trace';
import type { TraceChoice } from './choose-traces.ts';
import { makeSpan, type SpanData, type SpanOrigin } from './span.ts';
import type { BegunTrace, CompletedRequest } from './telemetry.ts';

/** Requests for which child spans are recorded at one time; further ones only have a request span. */
const MAX_AT_ONCE = 10_000;
/** Maximum number of child spans of a request. */
const MAX_CHILD_SPANS = 64;

export interface RequestTrace extends BegunTrace {
  readonly parent: SpanContext | undefined;
  readonly startMs: number;
  readonly isChosen: boolean;
  /** Child spans so far, formatted only on export; null if the trace will not be exported. */
  readonly childSpans: (() => readonly ChildSpanData[])[] | null;
  /** The model name that the client sent. */
  model: string | null;
}

export interface ChildSpanData extends SpanData {
  /** Set if the span's id was propagated before the span ended. */
  readonly spanId?: string | undefined;
}

export interface RequestTracesDeps {
  readonly choice: TraceChoice;
  readonly origin: SpanOrigin;
  readonly emit: (span: ReadableSpan) => void;
  /** Unix time in milliseconds, with fractions. */
  readonly nowMs: () => number;
}

export type RequestTraces = ReturnType<typeof createRequestTraces>;

/** Records traces by request id and exports the sampled ones when their request ends. */
export function createRequestTraces(deps: RequestTracesDeps) {
  const { choice, origin, emit, nowMs } = deps;
  const ids = new RandomIdGenerator();
  const propagator = new W3CTraceContextPropagator();
  const active = new Map<string, RequestTrace>();

  // Without the parent's trace state: the client's entries are not meant for the collector.
  const sampled = (traceId: string, spanId: string): SpanContext => ({
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
  });

  return {
    nowMs,
    newSpanId: () => ids.generateSpanId(),
    /** Returns the trace of an active request if it may be exported. */
    find(requestId: string | null | undefined): RequestTrace | undefined {
      const found = requestId ? active.get(requestId) : undefined;
      return found?.childSpans == null || found.childSpans.length >= MAX_CHILD_SPANS ? undefined : found;
    },
    begin(headers: IncomingHttpHeaders): RequestTrace {
      const context =
        headers['traceparent'] === undefined
          ? ROOT_CONTEXT
          : propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const parent = traceApi.getSpanContext(context);
      const traceId = parent?.traceId ?? ids.generateTraceId();
      const isChosen = choice.take(context, traceId, SpanKind.SERVER);
      const mayBeEmitted = isChosen || (choice.takeNotable !== null && parent === undefined);
      return {
        traceId,
        parent,
        startMs: nowMs(),
        isChosen,
        childSpans: mayBeEmitted ? [] : null,
        model: null,
      };
    },
    attach(requestId: string, trace: RequestTrace): void {
      if (trace.childSpans !== null && active.size < MAX_AT_ONCE) active.set(requestId, trace);
    },
    end(trace: RequestTrace, completed: CompletedRequest): void {
      if (trace.childSpans === null) return;
      active.delete(completed.requestId);
      if (!trace.isChosen && !(isNotable(completed) && choice.takeNotable?.())) return;
      const context = sampled(trace.traceId, ids.generateSpanId());
      for (const data of trace.childSpans.flatMap((describe) => describe())) {
        const spanId = data.spanId ?? ids.generateSpanId();
        emit(makeSpan(data, sampled(trace.traceId, spanId), context, origin));
      }
      emit(makeSpan(requestSpan(trace, completed, nowMs()), context, trace.parent, origin));
    },
    /** Exports a span that belongs to no request. */
    emitAlone(data: SpanData): void {
      const traceId = ids.generateTraceId();
      if (!choice.take(ROOT_CONTEXT, traceId, data.kind)) return;
      emit(makeSpan(data, sampled(traceId, ids.generateSpanId()), undefined, origin));
    },
    /** Returns `traceparent` and `tracestate` for the destination of a forwarded request. */
    headersOf(trace: RequestTrace, spanId: string): Record<string, string> {
      const headers: Record<string, string> = {};
      const context: SpanContext = {
        traceId: trace.traceId,
        spanId,
        traceFlags: trace.isChosen ? TraceFlags.SAMPLED : TraceFlags.NONE,
        ...(trace.parent?.traceState === undefined ? {} : { traceState: trace.parent.traceState }),
      };
      propagator.inject(traceApi.setSpanContext(ROOT_CONTEXT, context), headers, defaultTextMapSetter);
      return headers;
    },
  };
}

function isNotable({ status, verdict }: CompletedRequest): boolean {
  return status === null || status >= 500 || (verdict !== null && verdict.decision !== 'allow');
}

function requestSpan(trace: RequestTrace, completed: CompletedRequest, endMs: number): SpanData {
  const { method, route, status, requestId, projectId, verdict } = completed;
  const errorType = status === null ? 'client_left' : status >= 500 ? String(status) : undefined;
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: SpanKind.SERVER,
    startMs: trace.startMs,
    endMs,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status ?? undefined,
      'error.type': errorType,
      'csg.request.id': requestId,
      'csg.project.id': projectId ?? undefined,
      'csg.decision': verdict?.decision,
      'csg.event.id': verdict?.eventId,
      'csg.threat.type': verdict?.threatType ?? undefined,
    },
    ...(status !== null && status >= 500 ? { errorMessage: 'The service could not respond.' } : {}),
  };
}
