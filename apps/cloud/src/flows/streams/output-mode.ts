import type { OutputMode } from '@csg/shared/contract';
import { resolveRuleset, Workspace } from '@csg/shared/detection';
import { EVENT_STREAM } from '@csg/shared/providers';
import { createRelease, type LiveRelease } from '@csg/shared/release';
import { destinationOf } from '../approvals/apply-exceptions.ts';
import type { Principal } from '../authenticate-key.ts';
import type { RequestToForward } from '../complete-response.ts';
import type { RelayDependencies } from '../relay-request.ts';

/** How a project's streams are delivered; null as the specification says without a word about it. */
export function outputModeOf(
  { settings, policyWebhook }: Principal,
  { format }: Pick<RequestToForward, 'format'>,
): OutputMode | null {
  if (settings.streaming !== 'live') return null;
  const isLive = policyWebhook === null && format.streamType === EVENT_STREAM && format.readFrames() !== null;
  return isLive ? 'live' : 'buffered';
}

/** Between two pieces it holds nothing of a text. */
const workspace = new Workspace();

export function releaseOf(
  { clock }: Pick<RelayDependencies, 'clock'>,
  { ruleset }: Principal,
  { format, provider, model, systemSlots, restores }: RequestToForward,
): LiveRelease {
  const host = destinationOf(provider);
  const policyContext = { host, provider: provider.name, model, atMs: clock.now() };
  const resolved = resolveRuleset(ruleset.compiled, policyContext);
  return createRelease({ format, ruleset: resolved, systemSlots, workspace, restores })!;
}
