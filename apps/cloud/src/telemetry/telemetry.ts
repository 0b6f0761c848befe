/**
 * Room telemetry: tells an OpenTelemetry collector what happened, where one is configured. Loaded by `open-gateway`
 * in that case alone: without it none of this runs. Never tells a text, key, header or address with its query, and
 * nothing waits for the collector.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Decisions } from '../storage/storage.ts';
import type { Upstream } from '../upstream/send.ts';
import type { WebhookSender } from '../webhooks/outbound/webhook-sender.ts';

export interface Telemetry {
  /** null: only metrics are told. */
  readonly traces: Traces | null;
  /** Sends what is left, for a bounded time. Never rejects. */
  close(): Promise<void>;
}

/** A request's place in its trace, from its arrival on. */
export interface BegunTrace {
  /** 32 hex digits. */
  readonly traceId: string;
}

/** What a request came to. */
export interface CompletedRequest {
  readonly method: string;
  /** The route's pattern; undefined where there is none. */
  readonly route: string | undefined;
  /** null: the client left before it was answered. */
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
  /** Takes the client's `traceparent` as the parent, where it sent one. */
  begin(headers: IncomingHttpHeaders): BegunTrace;
  /** From here on the parts below tell this trace what they do for the request. */
  attach(requestId: string, trace: BegunTrace): void;
  end(trace: BegunTrace, completed: CompletedRequest): void;

  /** The same parts, which tell what they do. */
  instrumentDecisions(decisions: Decisions): Decisions;
  instrumentUpstream(upstream: Upstream): Upstream;
  instrumentSender(sender: WebhookSender): WebhookSender;
}
