/**
 * Where the values of tool calls come from: the user, the developer, a record that the user named, untrusted data, or
 * nowhere. Pure, linear in the conversation. Decides nothing: what a project does about a flow is the caller's.
 */
export { describeFlowRule } from './describe-flow-rule.ts';
export { matchPolicies, type PolicyFlow } from './match-policies.ts';
export { type SketchOf, sketchText, type TextSketch } from './text-sketch.ts';
export { traceCalls } from './trace-calls.ts';
export { createTraceContext } from './trace-context.ts';
export { namesForeignTexts } from './trusted-records.ts';
export type { Flow, FlowSource, ValueKind } from './types.ts';
