import type { PolicyContext } from '@csg/shared/detection';
import type { ToolCall } from '@csg/shared/providers';
import { toolListing } from '@csg/shared/text';
import type { Principal } from '../authenticate-key.ts';
import type { ToolCallDeps } from './evaluate-tool-calls.ts';
import { type CallHistory, traceToolCalls } from './trace-tool-calls.ts';

/** Whether calls of a response can leave before the whole is evaluated, as far as other things than their texts decide. */
export type CheckLiveCalls = (calls: readonly ToolCall[]) => boolean;

/**
 * With the lists as they are when the response begins: no call passes that lists, flow control or a policy stop or have
 * a person review. Undefined if the request defines no tools: a call is then judged with the whole response.
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
  const isTraced = settings.flow_control === 'review' || settings.flow_control === 'block';
  return (calls) => {
    if (lists !== null && calls.some(({ name }) => toolListing(name, lists) !== 'free')) return false;
    const { flows, policyFlows } = traceToolCalls(deps, principal, calls, history, policyContext);
    return (!isTraced || flows.length === 0) && policyFlows.every(({ handling }) => handling === 'report');
  };
}

function definesTools(body: unknown): boolean {
  const { tools, toolConfig } = (body ?? {}) as {
    readonly tools?: unknown;
    /** Of Converse. */
    readonly toolConfig?: { readonly tools?: unknown } | null;
  };
  const defined = tools ?? toolConfig?.tools;
  return Array.isArray(defined) && defined.length > 0;
}
