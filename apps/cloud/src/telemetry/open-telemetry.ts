import { randomUUID } from 'node:crypto';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { millisToHrTime, parseKeyPairsIntoRecord, setGlobalErrorHandler } from '@opentelemetry/core';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import type { OTLPExporterNodeConfigBase } from '@opentelemetry/otlp-exporter-base/node-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Config } from '../config/parse-config.ts';
import { chooseTraces } from './choose-traces.ts';
import { instrumentDecisions, instrumentSender, instrumentUpstream } from './instrument.ts';
import { metricPoints, type PrometheusMetric } from './metric-points.ts';
import { createRequestTraces } from './request-traces.ts';
import type { Telemetry, Traces } from './telemetry.ts';

export interface TelemetryDeps {
  readonly version: string;
  /** Values of this process's `/metrics`. */
  readonly metrics: () => Promise<readonly PrometheusMetric[]>;
  readonly log: { warn(fields: object, message: string): void };
}

/** Longest wait for the collector on shutdown. */
export const FLUSH_MS = 3_000;
const SCOPE = 'content-security-gateway';

/** Unix time in milliseconds with fractions, monotonic. */
const { timeOrigin } = performance;
const nowMs = (): number => timeOrigin + performance.now();

/** Exports traces and metrics by OTLP over HTTP in the background; drops data that cannot be sent. */
export async function openTelemetry(config: Config, deps: TelemetryDeps): Promise<Telemetry> {
  const complain = createThrottledLog(deps.log, nowMs);
  setGlobalErrorHandler(complain);
  const logger = { error: complain, warn: complain, info() {}, debug() {}, verbose() {} };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });

  const resource = resourceOf(config, deps.version);
  const scope = { name: SCOPE, version: deps.version };
  const tracesUrl = addressOf(config, config.otlpTracesEndpoint, 'v1/traces');
  const metricsUrl = addressOf(config, config.otlpMetricsEndpoint, 'v1/metrics');

  const closing: (() => Promise<void>)[] = [];
  let traces: Traces | null = null;
  if (config.otelTraces === 'otlp' && tracesUrl !== null) {
    const processor = new BatchSpanProcessor({
      exporter: await openSpanExporter(config, tracesUrl),
      scheduledDelayMillis: config.otelSpanDelayMs,
      maxQueueSize: config.otelSpanQueue,
      maxExportBatchSize: config.otelSpanBatch,
    });
    const requests = createRequestTraces({
      choice: chooseTraces(config.otelSampler, config.otelSamplerRatio, nowMs),
      origin: { resource, instrumentationScope: scope },
      emit: (span) => processor.onEnd(span),
      nowMs,
    });
    traces = {
      begin: requests.begin,
      attach: requests.attach,
      end: requests.end,
      instrumentDecisions: (decisions) => instrumentDecisions(requests, decisions),
      instrumentUpstream: (upstream) => instrumentUpstream(requests, upstream, config.traceProviders),
      instrumentSender: (sender) => instrumentSender(requests, sender),
    };
    closing.push(() => processor.shutdown());
  }
  if (config.otelMetrics === 'otlp' && metricsUrl !== null) {
    const reader = new PeriodicExportingMetricReader({
      exporter: await openMetricExporter(config, metricsUrl),
      exportIntervalMillis: config.otelMetricIntervalMs,
    });
    reader.setMetricProducer(createProducer(resource, scope, deps.metrics));
    closing.push(() => reader.shutdown());
  }

  return {
    traces,
    async close() {
      // Requests that were just completed end their traces in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      const flushed = Promise.all(closing.map((close) => close())).catch(complain);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FLUSH_MS);
      await Promise.race([flushed, late]);
      clearTimeout(timer);
    },
  };
}

function createProducer(
  resource: Resource,
  scope: { readonly name: string; readonly version: string },
  metrics: TelemetryDeps['metrics'],
) {
  const startTime = millisToHrTime(nowMs());
  return {
    async collect() {
      const points = metricPoints(await metrics(), startTime, millisToHrTime(nowMs()));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: points }] }, errors: [] };
    },
  };
}

function resourceOf(config: Config, version: string): Resource {
  return resourceFromAttributes({
    'service.version': version,
    'service.instance.id': randomUUID(),
    'deployment.environment.name': config.environment,
    ...parseKeyPairsIntoRecord(config.otelResource),
    'service.name': config.otelServiceName,
  });
}

/** null: there is no endpoint for this signal. */
function addressOf(config: Config, own: string | undefined, path: string): string | null {
  return own ?? (config.otlpEndpoint === undefined ? null : `${config.otlpEndpoint}/${path}`);
}

function exporterOptions(config: Config, url: string): OTLPExporterNodeConfigBase {
  return {
    url,
    headers: parseKeyPairsIntoRecord(config.otlpHeaders),
    timeoutMillis: config.otlpTimeoutMs,
    compression: config.otlpCompression === 'gzip' ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
  };
}

async function openSpanExporter(config: Config, url: string): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    config.otlpProtocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter(exporterOptions(config, url));
}

async function openMetricExporter(config: Config, url: string): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    config.otlpProtocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto');
  return new OTLPMetricExporter(exporterOptions(config, url));
}

export const QUIET_MS = 60_000;

/** Logs a repeated problem once a minute, with the number of occurrences since the last line. */
export function createThrottledLog(
  log: { warn(fields: object, message: string): void },
  nowMs: () => number,
): (cause: unknown) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let unlogged = 0;
  return (cause) => {
    unlogged += 1;
    if (nowMs() - loggedAtMs < QUIET_MS) return;
    log.warn(
      { cause: cause instanceof Error ? cause.message : String(cause), times: unlogged },
      'some telemetry could not be sent to the OpenTelemetry collector',
    );
    loggedAtMs = nowMs();
    unlogged = 0;
  };
}
