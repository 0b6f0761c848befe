import {
  readDefinedTools,
  readResultTools,
  readToolCallsInSteps,
  type ToolCall,
} from '../providers/index.ts';
import { type Conversation, type Steps, toolMatcher } from '../text/index.ts';
import { callEffect } from './effects.ts';
import { ownTexts } from './own-values.ts';
import { sourceTexts } from './source-texts.ts';
import { type SketchOf, sketchText, type TextSketch } from './text-sketch.ts';
import { returnsRecords } from './trusted-records.ts';
import type { Effect, SourceText, TaintedText, TracedCall } from './types.ts';

export interface TraceInput {
  readonly calls: readonly TracedCall[];
  /** The conversation before the calls. */
  readonly conversation: Conversation;
  /** The body of the conversation; it defines the tools and maps results to tools. */
  readonly body: unknown;
  /** Further tools with effects, and tools that return the organization's own records. */
  readonly effectTools: readonly string[];
  readonly recordTools: readonly string[];
  /** Passages of the conversation that give the model instructions; absent: none. */
  readonly tainted?: readonly TaintedText[];
  /** Sketches with a cache of earlier turns; absent: every text is read. */
  readonly sketchOf?: SketchOf;
}

/** The calls of a response and their conversation: each part is read at most once, and only if needed. */
export interface TraceContext {
  readonly calls: readonly TracedCall[];
  readonly tainted: readonly TaintedText[];
  readonly effectOf: (call: TracedCall) => Steps<Effect | null>;
  readonly returnsRecords: (toolName: string) => boolean;
  /** Calls of the conversation before the traced ones: guard requests contain both in one body. */
  readonly earlierCalls: () => Steps<readonly ToolCall[]>;
  readonly texts: () => Steps<readonly SourceText[]>;
  /** The texts of the user and the developer, and what the user confirmed. */
  readonly ownTexts: () => Steps<readonly string[]>;
  readonly sketchOf: SketchOf;
}

export function createTraceContext({
  calls,
  conversation,
  body,
  effectTools,
  recordTools,
  tainted = [],
  sketchOf = sketchText,
}: TraceInput): TraceContext {
  const definitions = lazy(() => readDefinedTools(body));
  const earlierCalls = lazySteps(function* () {
    const traced = new Set(calls.map(({ path }) => path));
    return (yield* readToolCallsInSteps(body)).filter(({ path }) => !traced.has(path));
  });
  const texts = lazySteps(function* () {
    return yield* sourceTexts(conversation, yield* readResultTools(body, yield* earlierCalls()), tainted);
  });
  const sketches = new Map<string, TextSketch>();
  const isEffectTool = toolMatcher(effectTools);
  return {
    ...{ calls, tainted, earlierCalls, texts },
    sketchOf: (text) => {
      const sketch = sketches.get(text) ?? sketchOf(text);
      sketches.set(text, sketch);
      return sketch;
    },
    effectOf: (call) => callEffect(call, definitions().get(call.name), isEffectTool),
    returnsRecords: (toolName) => returnsRecords(toolName, definitions().get(toolName), recordTools),
    ownTexts: lazySteps(function* () {
      return ownTexts(conversation, yield* texts());
    }),
  };
}

/** Returns the effects of calls; null: it has none. */
export function* effectsOf(
  { effectOf }: Pick<TraceContext, 'effectOf'>,
  calls: readonly TracedCall[],
): Steps<ReadonlyMap<TracedCall, Effect | null>> {
  const effects = new Map<TracedCall, Effect | null>();
  for (const call of calls) {
    effects.set(call, yield* effectOf(call));
    yield;
  }
  return effects;
}

function lazy<T extends object>(read: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= read());
}

function lazySteps<T extends object>(read: () => Steps<T>): () => Steps<T> {
  let value: T | undefined;
  return function* () {
    value ??= yield* read();
    return value;
  };
}
