import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metricPoints } from '../../../apps/cloud/src/telemetry/metric-points.ts';

test('counters, gauges and histograms keep their numbers, names, labels and units', async () => {
  const registers = [new Registry()];
  const help = 'Of a test.';
  new Counter({ name: 'things_total', help, labelNames: ['kind'], registers }).inc({ kind: 'red' }, 7);
  new Gauge({ name: 'held_bytes', help, registers }).set(2.5);
  const waits = new Histogram({
    name: 'wait_seconds',
    help,
    labelNames: ['way'],
    buckets: [0.1, 1],
    registers,
  });
  for (const seconds of [0.05, 0.5, 0.6, 9]) waits.observe({ way: 'in' }, seconds);
  waits.observe({ way: 'out' }, 0.01);
  const metrics = await registers[0]!.getMetricsAsJSON();

  const [counter, gauge, histogram] = metricPoints(metrics, [1, 0], [2, 0]);
  assert.equal(counter?.descriptor.name, 'things_total');
  assert.equal(counter?.descriptor.description, help);
  assert.deepEqual(counter?.dataPoints, [
    { startTime: [1, 0], endTime: [2, 0], attributes: { kind: 'red' }, value: 7 },
  ]);
  assert.equal(gauge?.descriptor.unit, 'By');
  assert.equal(gauge?.dataPoints[0]?.value, 2.5);
  assert.equal(histogram?.descriptor.unit, 's');
  assert.deepEqual(
    histogram?.dataPoints.map(({ attributes, value }) => ({ attributes, value })),
    [
      {
        attributes: { way: 'in' },
        value: { buckets: { boundaries: [0.1, 1], counts: [1, 2, 1] }, sum: 10.15, count: 4 },
      },
      {
        attributes: { way: 'out' },
        value: { buckets: { boundaries: [0.1, 1], counts: [1, 0, 0] }, sum: 0.01, count: 1 },
      },
    ],
  );
});
