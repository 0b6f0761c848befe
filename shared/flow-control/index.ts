/**
 * Traces the values of tool calls to their source: the user, the developer, a record that the user named, untrusted
 * data, or none. Pure, linear in the conversation. Decides nothing: the caller applies the project's settings.
 */
export { describeFlowRule } from './describe-flow-rule.ts';
export { matchPolicies, type PolicyFlow } from './match-policies.ts';
export { type SketchOf, sketchText, type TextSketch } from './text-sketch.ts';
export { traceCalls } from './trace-calls.ts';
export { createTraceContext } from './trace-context.ts';
export { namesForeignTexts } from './trusted-records.ts';
export type { Flow, FlowSource, TaintedText, ValueKind } from './types.ts';
