import {
  address,
  flag,
  integer,
  listed,
  oneOf,
  type Setting,
  setting,
  text,
  WEB_SCHEMES,
} from './setting.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/** Reads `name=value,name=value`, percent-encoded where necessary; the text is kept unchanged. */
function pairs(env: string, about: string): Setting<string | undefined> {
  return setting(env, about, 'unset', (value) => {
    for (const pair of value?.split(',') ?? []) {
      // The message omits the value, which may be a credential.
      if (!/^\s*[\w!#$%&'*+.^`|~-]+\s*=/.test(pair) || !isEncoded(pair)) {
        throw new Error('must contain pairs such as name=value,other=value, with other characters as %XX');
      }
    }
    return value;
  });
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** OpenTelemetry settings, with the names of its specification (docs/observability.md). */
export const TELEMETRY_SETTINGS = {
  otlpEndpoint: address(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OpenTelemetry collector that receives traces and metrics. Unset: nothing is sent (docs/observability.md).',
    WEB_SCHEMES,
  ),
  otlpTracesEndpoint: address(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'Full URL for traces. Unset: v1/traces under OTEL_EXPORTER_OTLP_ENDPOINT.',
    WEB_SCHEMES,
  ),
  otlpMetricsEndpoint: address(
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    'Full URL for metrics. Unset: v1/metrics under OTEL_EXPORTER_OTLP_ENDPOINT.',
    WEB_SCHEMES,
  ),
  otlpProtocol: oneOf(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'http/protobuf or http/json.',
    ['http/protobuf', 'http/json'],
    'http/protobuf',
  ),
  otlpHeaders: pairs('OTEL_EXPORTER_OTLP_HEADERS', 'Headers for the collector, such as a credential.'),
  otlpTimeoutMs: integer(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    'Maximum time of one export with its retries, in milliseconds.',
    10_000,
    1,
    600_000,
  ),
  otlpCompression: oneOf('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip or none.', ['gzip', 'none'], 'none'),
  otelDisabled: flag('OTEL_SDK_DISABLED', 'Disables OpenTelemetry, whatever else is set.'),
  otelTraces: oneOf('OTEL_TRACES_EXPORTER', 'otlp, or none for no traces.', ['otlp', 'none'], 'otlp'),
  otelMetrics: oneOf('OTEL_METRICS_EXPORTER', 'otlp, or none for no metrics.', ['otlp', 'none'], 'otlp'),
  otelServiceName: text(
    'OTEL_SERVICE_NAME',
    'Name of this service in traces and metrics.',
    'content-security-gateway',
  ),
  otelResource: pairs(
    'OTEL_RESOURCE_ATTRIBUTES',
    'Additional attributes of this service in traces and metrics.',
  ),
  otelSampler: oneOf(
    'OTEL_TRACES_SAMPLER',
    `Which requests are traced: ${listed(SAMPLERS)}. Unset: a limited number per second (docs/observability.md).`,
    SAMPLERS,
    undefined,
  ),
  otelSamplerRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    'Share of requests that a ratio sampler traces.',
    '1',
    (value) => {
      const ratio = Number(value ?? 1);
      if (!(ratio >= 0 && ratio <= 1)) throw new Error(`must be a number from 0 to 1, not "${value}"`);
      return ratio;
    },
  ),
  otelMetricIntervalMs: integer(
    'OTEL_METRIC_EXPORT_INTERVAL',
    'Time between two exports of metrics, in milliseconds.',
    60_000,
    100,
    3_600_000,
  ),
  otelSpanDelayMs: integer(
    'OTEL_BSP_SCHEDULE_DELAY',
    'Maximum time a span waits to be sent, in milliseconds.',
    5_000,
    1,
    600_000,
  ),
  otelSpanQueue: integer(
    'OTEL_BSP_MAX_QUEUE_SIZE',
    'Maximum number of waiting spans; further spans are dropped.',
    2_048,
    1,
    1_000_000,
  ),
  otelSpanBatch: integer(
    'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    'Maximum number of spans in one export.',
    512,
    1,
    1_000_000,
  ),
  traceProviders: flag(
    'TRACE_PROVIDERS',
    'Sends the trace id (traceparent) to model providers, so that their traces can be joined with ours.',
  ),
} satisfies Record<string, Setting<unknown>>;
