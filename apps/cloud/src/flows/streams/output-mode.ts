import type { OutputMode } from '@csg/shared/contract';
import { createTextGates, resolveRuleset, Workspace } from '@csg/shared/detection';
import { EVENT_STREAM } from '@csg/shared/providers';
import { destinationOf } from '../approvals/apply-exceptions.ts';
import type { Principal } from '../authenticate-key.ts';
import type { RequestToForward } from '../complete-response.ts';
import type { RelayDependencies } from '../relay-request.ts';
import { LiveRelease } from './live-release.ts';

/**
 * How a project's streams are delivered; null as the specification says without a word about it. Values are put back into
 * whole responses alone.
 */
export function outputModeOf(
  { settings, policyWebhook }: Principal,
  { format, restores }: Pick<RequestToForward, 'format' | 'restores'>,
): OutputMode | null {
  if (settings.streaming !== 'live') return null;
  const isRestored = restores != null && restores.values.size > 0;
  const isLive =
    policyWebhook === null &&
    !isRestored &&
    format.streamType === EVENT_STREAM &&
    format.readFrames() !== null;
  return isLive ? 'live' : 'buffered';
}

/** Between two pieces it holds nothing of a text. */
const workspace = new Workspace();

export function createRelease(
  { clock }: Pick<RelayDependencies, 'clock'>,
  { ruleset }: Principal,
  { format, provider, model, systemSlots }: RequestToForward,
): LiveRelease {
  const host = destinationOf(provider);
  const policyContext = { host, provider: provider.name, model, atMs: clock.now() };
  const gates = createTextGates(resolveRuleset(ruleset.compiled, policyContext), { systemSlots, workspace });
  return new LiveRelease({ frames: format.readFrames()!, gates });
}
