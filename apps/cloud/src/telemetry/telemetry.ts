/**
 * Module telemetry: reports to an OpenTelemetry collector, if one is configured. Loaded by `open-gateway` in
 * that case only: without it none of this runs. Never exports a text, key, header or URL with its query, and
 * nothing waits for the collector.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Decisions } from '../storage/storage.ts';
import type { Upstream } from '../upstream/send.ts';
import type { EndpointClient } from '../webhooks/outbound/endpoint-client.ts';

export interface Telemetry {
  /** null: only metrics are exported. */
  readonly traces: Traces | null;
  /** Sends the remaining data, with a timeout. Never rejects. */
  close(): Promise<void>;
}

/** The trace of a request from its arrival on. */
export interface BegunTrace {
  /** 32 hex digits. */
  readonly traceId: string;
}

/** The outcome of a request. */
export interface CompletedRequest {
  readonly method: string;
  /** The route's pattern; undefined if no route matched. */
  readonly route: string | undefined;
  /** null: the client disconnected before the response. */
  readonly status: number | null;
  readonly requestId: string;
  readonly projectId: string | null;
  readonly verdict: {
    readonly eventId: string;
    readonly decision: string;
    readonly threatType: string | null;
  } | null;
}

export interface Traces {
  /** Uses the client's `traceparent` as the parent, if it sent one. */
  begin(headers: IncomingHttpHeaders): BegunTrace;
  /** From here on the instrumented parts below add their spans to this trace. */
  attach(requestId: string, trace: BegunTrace): void;
  end(trace: BegunTrace, completed: CompletedRequest): void;

  /** Returns the same part with tracing. */
  instrumentDecisions(decisions: Decisions): Decisions;
  instrumentUpstream(upstream: Upstream): Upstream;
  instrumentSender(sender: EndpointClient): EndpointClient;
}
