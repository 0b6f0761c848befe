import type { PolicyContext } from '@csg/shared/detection';
import {
  createTraceContext,
  type Flow,
  matchPolicies,
  type PolicyFlow,
  type TaintedText,
  traceCalls,
} from '@csg/shared/flow-control';
import type { CallReading } from '@csg/shared/providers';
import type { Conversation, Steps } from '@csg/shared/text';
import type { WorkOwner } from '../../fairness/fair-queue.ts';
import type { PacedTurns } from '../../fairness/paced-turns.ts';
import type { Principal } from '../authenticate-key.ts';
import type { SketchCache } from './sketch-cache.ts';

/** The conversation before the calls. */
export interface CallHistory {
  readonly conversation: Conversation;
  /** The request body, which defines the tools and shows which tool returned what. */
  readonly body: unknown;
  /** Its passages that give the model instructions; absent: those found in the decision about the calls. */
  readonly tainted?: readonly TaintedText[];
}

/** Flows in the calls of a response, and calls that match the project's policies. */
export interface TracedResponse {
  readonly flows: readonly Flow[];
  readonly policyFlows: readonly PolicyFlow[];
}

export interface TraceDeps {
  readonly sketches: SketchCache;
  readonly pacedTurns: PacedTurns;
}

/** The project whose settings apply, and who the work is done for. */
export type TracingFor = Pick<Principal, 'settings' | 'ruleset'> & WorkOwner;

/** `history` is null if it is unknown, so that no value can be traced. */
export function* traceToolCalls(
  { sketches }: Pick<TraceDeps, 'sketches'>,
  { settings, ruleset, organizationId }: TracingFor,
  calls: readonly CallReading[],
  history: CallHistory | null,
  policyContext: PolicyContext,
): Steps<TracedResponse> {
  if (history === null || calls.length === 0) return { flows: [], policyFlows: [] };
  const { flow_control, effect_tools: effectTools, record_tools: recordTools } = settings;
  const context = createTraceContext({
    ...{ calls, ...history, effectTools, recordTools },
    sketchOf: sketches.of(organizationId),
  });
  return {
    flows: flow_control === 'off' ? [] : yield* traceCalls(context),
    policyFlows: yield* matchPolicies(context, ruleset.input.policies, policyContext),
  };
}
