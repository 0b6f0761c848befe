import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../../apps/cloud/src/config/parse-config.ts';

test('OpenTelemetry is off by default, and its settings default to those of its specification', () => {
  const parsed = parseConfig({});
  assert.ok(parsed.ok);
  const { config } = parsed;
  assert.equal(config.otlpEndpoint, undefined);
  assert.equal(config.otlpProtocol, 'http/protobuf');
  assert.equal(config.otlpTimeoutMs, 10_000);
  assert.equal(config.otelServiceName, 'content-security-gateway');
  assert.equal(config.otelSampler, undefined);
  assert.equal(config.otelMetricIntervalMs, 60_000);
  assert.equal(config.traceProviders, false);
});

const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', /must be a URL that starts with http/],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /must be http\/protobuf or http\/json, not "grpc"/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'just-a-secret', /must contain pairs such as name=value/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%', /must contain pairs such as name=value/],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon', /must be a whole number/],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd', /must be gzip or none/],
  ['OTEL_TRACES_SAMPLER', 'sometimes', /must be always_on, .* or parentbased_traceidratio, not "sometimes"/],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', /must be a number from 0 to 1/],
  ['OTEL_TRACES_SAMPLER_ARG', 'half', /must be a number from 0 to 1/],
  ['OTEL_TRACES_EXPORTER', 'zipkin', /must be otlp or none/],
  ['OTEL_RESOURCE_ATTRIBUTES', '=x', /must contain pairs such as name=value/],
  ['OTEL_METRIC_EXPORT_INTERVAL', '0', /must be a whole number from 100/],
  ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '4096', /must not exceed OTEL_BSP_MAX_QUEUE_SIZE/],
  ['TRACE_PROVIDERS', 'maybe', /must be on or off/],
];

for (const [env, value, sentence] of WRONG) {
  test(`${env}=${value} is rejected with one sentence`, () => {
    const parsed = parseConfig({ [env]: value });
    assert.ok(!parsed.ok);
    assert.equal(parsed.problems.length, 1);
    assert.match(parsed.problems[0] as string, new RegExp(`^${env} `));
    assert.match(parsed.problems[0] as string, sentence);
    if (env.endsWith('HEADERS')) {
      assert.ok(!parsed.problems[0]?.includes(value), 'a value that may be a credential is not shown');
    }
  });
}

test('pairs are accepted in the format of OpenTelemetry', () => {
  const parsed = parseConfig({
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-tenant=a=b',
    OTEL_RESOURCE_ATTRIBUTES: 'team=security,deployment.environment.name=staging',
  });
  assert.ok(parsed.ok, JSON.stringify(parsed));
});
