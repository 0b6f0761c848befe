/**
 * Chooses and decides, and does nothing: tunnel or open, and what becomes of a request once there is a verdict or
 * none. Pure; called by the proxy. The only room where failing open or closed is chosen.
 */
import { compileRuleset, type Ruleset, Workspace } from '@csg/shared/detection';
import type { DevicePolicy, PolicyException } from './device-policy.ts';
import { hostMatcher } from './match-hosts.ts';

/** A policy made ready. Hold on to it: compile once per version. */
export interface CompiledPolicy {
  readonly policy: DevicePolicy;
  readonly ruleset: Ruleset;
  /** Where texts are read. */
  readonly workspace: Workspace;
  readonly isAiHost: (host: string) => boolean;
  readonly isBypassed: (host: string) => boolean;
  readonly isBlockedTool: (host: string) => boolean;
}

/** Throws where the ruleset names what this version does not know. */
export function compilePolicy(policy: DevicePolicy): CompiledPolicy {
  return {
    policy,
    ruleset: compileRuleset(policy.ruleset),
    workspace: new Workspace(),
    isAiHost: hostMatcher(policy.hosts),
    isBypassed: hostMatcher(policy.bypassHosts),
    isBlockedTool: hostMatcher(policy.blockedTools),
  };
}

/** The exceptions that count for this host now. */
export function activeExceptions(
  policy: DevicePolicy,
  host: string,
  nowMs: number,
): readonly PolicyException[] {
  return policy.exceptions.filter(
    ({ untilMs, host: named }) => untilMs > nowMs && hostMatcher([named])(host),
  );
}
