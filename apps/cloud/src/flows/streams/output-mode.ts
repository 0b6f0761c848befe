import type { OutputMode } from '@csg/shared/contract';
import { resolveRuleset, Workspace } from '@csg/shared/detection';
import { createRelease, type LiveRelease } from '@csg/shared/release';
import { framingOf } from '../../upstream/stream-text.ts';
import { createLiveCallCheck } from '../agent/check-live-calls.ts';
import { destinationOf } from '../approvals/apply-exceptions.ts';
import type { Principal } from '../authenticate-key.ts';
import type { RequestToForward } from '../complete-response.ts';
import type { RelayDependencies } from '../relay-request.ts';

/** Returns how a project's streams are delivered; null for the specification's default, without an output header. */
export function outputModeOf(
  { settings, policyWebhook }: Principal,
  { format }: Pick<RequestToForward, 'format'>,
): OutputMode | null {
  if (settings.streaming !== 'live') return null;
  const isLive = policyWebhook === null && format.readFrames() !== null;
  return isLive ? 'live' : 'buffered';
}

/** Keeps no text between two pieces. */
const workspace = new Workspace();

export async function releaseOf(
  deps: RelayDependencies,
  principal: Principal,
  { format, provider, model, systemSlots, restores, continues }: RequestToForward,
): Promise<LiveRelease> {
  const host = destinationOf(provider);
  const policyContext = { host, provider: provider.name, model, atMs: deps.clock.now() };
  const ruleset = resolveRuleset(principal.ruleset.compiled, policyContext);
  const history = continues && { conversation: continues.request, body: continues.body };
  const mayCall = history && (await createLiveCallCheck(deps, principal, history, policyContext));
  const framing = await framingOf(format.streamType);
  return createRelease({ format, framing, ruleset, systemSlots, workspace, restores, mayCall })!;
}
