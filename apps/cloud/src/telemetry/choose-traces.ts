import { type Context, type SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SamplerName } from '../config/telemetry-settings.ts';

/** Traces per second without a configured sampler: all of a small service, a fraction of a busy one. */
export const TRACES_PER_SECOND = 50;

export interface TraceChoice {
  /** Decides at its start whether a trace is exported. */
  take(context: Context, traceId: string, kind: SpanKind): boolean;
  /** Decides whether a trace that was not sampled is exported because of its outcome; null: never. */
  readonly takeNotable: (() => boolean) | null;
}

/**
 * Without a name: follows the parent's decision, otherwise samples up to 50 requests per second, and in addition up to
 * 50 that were not simply allowed. A configured sampler decides alone.
 */
export function chooseTraces(name: SamplerName | undefined, ratio: number, nowMs: () => number): TraceChoice {
  if (name === undefined) {
    const take = createAllowance(TRACES_PER_SECOND, nowMs);
    return {
      take(context) {
        const parent = trace.getSpanContext(context);
        return parent === undefined ? take() : (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
      },
      takeNotable: createAllowance(TRACES_PER_SECOND, nowMs),
    };
  }
  const sampler = namedSampler(name, ratio);
  return {
    take: (context, traceId, kind) =>
      sampler.shouldSample(context, traceId, 'request', kind, {}, []).decision ===
      SamplingDecision.RECORD_AND_SAMPLED,
    takeNotable: null,
  };
}

function namedSampler(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

/** Returns true for the first `perSecond` calls in each second. */
export function createAllowance(perSecond: number, nowMs: () => number): () => boolean {
  let second = -1;
  let taken = 0;
  return () => {
    const now = Math.floor(nowMs() / 1000);
    if (now !== second) {
      second = now;
      taken = 0;
    }
    taken += 1;
    return taken <= perSecond;
  };
}
