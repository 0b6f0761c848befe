import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client';

export type PrometheusMetric = MetricObjectWithValues<MetricValue<string>>;
type Value = MetricValue<string> & Partial<MetricValueWithName<string>>;
type HistogramPoint = DataPoint<{
  buckets: { boundaries: number[]; counts: number[] };
  sum?: number;
  count: number;
}>;

/** Converts the values of `/metrics` to OTLP: the same numbers and names, cumulative. */
export function metricPoints(
  metrics: readonly PrometheusMetric[],
  startTime: HrTime,
  endTime: HrTime,
): MetricData[] {
  return metrics.flatMap((metric): MetricData[] => {
    const base = {
      descriptor: {
        name: metric.name,
        description: metric.help,
        unit: unitOf(metric.name),
        valueType: ValueType.DOUBLE,
      },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const values: readonly Value[] = metric.values;
    const type = String(metric.type);
    if (type === 'histogram') {
      const dataPoints = histogramPoints(values, startTime, endTime);
      return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
    }
    const dataPoints = values.map(({ value, labels }) => ({
      startTime,
      endTime,
      attributes: attributesOf(labels),
      value,
    }));
    if (type === 'counter') {
      return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }];
    }
    return type === 'gauge' ? [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints }] : [];
  });
}

/** Prometheus' buckets are cumulative, OTLP's count the values between two bounds. */
function histogramPoints(values: readonly Value[], startTime: HrTime, endTime: HrTime): HistogramPoint[] {
  const series = new Map<string, HistogramPoint & { total: number }>();
  for (const { labels, metricName = '', value } of values) {
    const { le, ...rest } = labels as Record<string, string | number>;
    const attributes = attributesOf(rest);
    const id = JSON.stringify(attributes);
    let point = series.get(id);
    if (point === undefined) {
      const empty = { buckets: { boundaries: [], counts: [] }, count: 0 };
      point = { startTime, endTime, attributes, value: empty, total: 0 };
      series.set(id, point);
    }
    if (metricName.endsWith('_sum')) point.value.sum = value;
    else if (metricName.endsWith('_count')) point.value.count = value;
    else {
      if (le !== '+Inf') point.value.buckets.boundaries.push(Number(le));
      point.value.buckets.counts.push(value - point.total);
      point.total = value;
    }
  }
  return [...series.values()].map(({ total: _, ...point }) => point);
}

function attributesOf(labels: Partial<Record<string, string | number>>): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function unitOf(name: string): string {
  return name.endsWith('_seconds') || name.endsWith('_seconds_total')
    ? 's'
    : name.endsWith('_bytes')
      ? 'By'
      : '';
}
