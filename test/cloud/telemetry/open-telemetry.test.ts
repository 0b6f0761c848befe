import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../../apps/cloud/src/config/parse-config.ts';
import {
  createThrottledLog,
  FLUSH_MS,
  openTelemetry,
  QUIET_MS,
} from '../../../apps/cloud/src/telemetry/open-telemetry.ts';
import { startCollector } from '../../support/collector.ts';

test('a failure that repeats is one line a minute, with its count', () => {
  let nowMs = 0;
  const lines: object[] = [];
  const complain = createThrottledLog({ warn: (fields) => lines.push(fields) }, () => nowMs);
  for (let n = 0; n < 100; n++) complain(new Error('gone'));
  assert.deepEqual(lines, [{ cause: 'gone', times: 1 }]);
  nowMs = QUIET_MS;
  complain('still gone');
  assert.deepEqual(lines[1], { cause: 'still gone', times: 100 });
  complain('still gone');
  assert.equal(lines.length, 2);
});

test('a collector that never responds does not delay shutdown beyond its flush, whatever its timeout', async (t) => {
  const collector = await startCollector();
  t.after(() => collector.close());
  collector.answer('hang');
  const parsed = parseConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
  });
  assert.ok(parsed.ok);
  const log = { warn: () => {} };
  const telemetry = await openTelemetry(parsed.config, { version: '1', metrics: async () => [], log });
  // Only this much of its time passes: the exporter itself waits for thirty seconds and more.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let isClosed = false;
  const closed = telemetry.close().then(() => {
    isClosed = true;
  });
  const next = () => new Promise((resolve) => setImmediate(resolve));
  while (collector.requests.length === 0) await next();
  assert.equal(isClosed, false, 'it waits for the collector');
  t.mock.timers.tick(FLUSH_MS);
  await closed;
  // The exporter would try again by these timers.
  await collector.close();
  await next();
});
