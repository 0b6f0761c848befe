import type { ManagedPolicy } from '@csg/shared/contract';
import semver from 'semver';

export interface RequestedUpdate {
  /** False: the update is not yet required. */
  readonly isRequired: boolean;
  readonly sentence: string;
}

/** Returns the update that the organization requires of this version; null: it may stay. */
export function requestedUpdate(policy: ManagedPolicy | null, version: string): RequestedUpdate | null {
  const wanted = policy?.min_version_override ?? null;
  if (policy === null || policy.force_update_mode === 'off' || wanted === null) return null;
  if (semver.valid(wanted) === null || semver.gte(version, wanted)) return null;
  const channel = policy.pinned_channel === null ? '' : ` from the channel "${policy.pinned_channel}"`;
  const isRequired = policy.force_update_mode === 'force';
  const verb = isRequired ? 'requires' : 'asks for';
  return {
    isRequired,
    sentence: `Your organization ${verb} version ${wanted} of the agent${channel}; this is ${version}.`,
  };
}
