import { type Attributes, type SpanContext, type SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { hrTimeDuration, type InstrumentationScope, millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

/** A completed operation. */
export interface SpanData {
  readonly name: string;
  readonly kind: SpanKind;
  /** Unix time in milliseconds, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Our own error message, if it failed. */
  readonly errorMessage?: string | undefined;
}

export interface SpanOrigin {
  readonly resource: Resource;
  readonly instrumentationScope: InstrumentationScope;
}

export function makeSpan(
  data: SpanData,
  context: SpanContext,
  parent: SpanContext | undefined,
  origin: SpanOrigin,
): ReadableSpan {
  const startTime = millisToHrTime(data.startMs);
  const endTime = millisToHrTime(data.endMs);
  const { name, kind, attributes, errorMessage } = data;
  const span: ReadableSpan & { parentSpanContext?: SpanContext } = {
    name,
    kind,
    spanContext: () => context,
    startTime,
    endTime,
    duration: hrTimeDuration(startTime, endTime),
    status:
      errorMessage === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: errorMessage },
    attributes: withoutUnset(attributes),
    links: [],
    events: [],
    ended: true,
    resource: origin.resource,
    instrumentationScope: origin.instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  if (parent !== undefined) span.parentSpanContext = parent;
  return span;
}

function withoutUnset(attributes: Attributes): Attributes {
  const set: Attributes = {};
  for (const name in attributes) if (attributes[name] !== undefined) set[name] = attributes[name];
  return set;
}
