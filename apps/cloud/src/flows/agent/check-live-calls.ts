import { holdsOf, listingsOf } from '@csg/shared/decision';
import type { PolicyContext } from '@csg/shared/detection';
import { everyReading, type ToolCall } from '@csg/shared/providers';
import type { Principal } from '../authenticate-key.ts';
import type { ToolCallDeps } from '../decision/review-calls.ts';
import { type CallHistory, traceToolCalls } from './trace-tool-calls.ts';

/** Returns whether calls may be sent before the whole response is evaluated. Their texts are checked elsewhere. */
export type CheckLiveCalls = (calls: readonly ToolCall[]) => boolean;

/**
 * Uses the lists as of the start of the response: a call is held back if lists, flow control or a policy block it or
 * require a review. Undefined if the request defines no tools: calls are then evaluated with the whole response.
 */
export async function createLiveCallCheck(
  deps: ToolCallDeps,
  principal: Principal,
  history: CallHistory,
  policyContext: PolicyContext,
): Promise<CheckLiveCalls | undefined> {
  if (!definesTools(history.body)) return undefined;
  const { organizationId, projectId, settings } = principal;
  const lists = projectId === null ? null : await deps.storage.toolLists.get(organizationId, projectId);
  return (calls) => {
    const decided = {
      calls,
      request: history.body,
      subject: 'response',
      flowControl: settings.flow_control,
    } as const;
    const tracing = traceToolCalls(deps, principal, everyReading(calls), history, policyContext);
    const traces = deps.pacedTurns.tryNow(tracing);
    // What takes longer is evaluated with the whole response.
    if (traces === undefined) return false;
    const holds = holdsOf(decided, listingsOf(lists), traces);
    // The whole response tells a call that is read in two ways.
    return holds.every(({ action, source }) => action === 'report' && source !== 'reading');
  };
}

function definesTools(body: unknown): boolean {
  const { tools, toolConfig } = (body ?? {}) as {
    readonly tools?: unknown;
    /** Field of Converse. */
    readonly toolConfig?: { readonly tools?: unknown } | null;
  };
  const defined = tools ?? toolConfig?.tools;
  return Array.isArray(defined) && defined.length > 0;
}
