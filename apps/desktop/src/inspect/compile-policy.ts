/**
 * Makes decisions without side effects: whether to tunnel or open a connection, and how to treat a request with or
 * without a verdict. Pure; called by the proxy. The only module that chooses between failing open and closed.
 */
import { compileRuleset, type Ruleset, Workspace } from '@csg/shared/detection';
import type { DevicePolicy, PolicyException } from './device-policy.ts';
import { hostMatcher } from './match-hosts.ts';

/** A compiled policy. Compile once per version and keep it. */
export interface CompiledPolicy {
  readonly policy: DevicePolicy;
  readonly ruleset: Ruleset;
  /** Workspace in which texts are scanned. */
  readonly workspace: Workspace;
  readonly isAiHost: (host: string) => boolean;
  readonly isBypassed: (host: string) => boolean;
  readonly isBlockedTool: (host: string) => boolean;
}

/** Throws if the ruleset contains something that this version does not know. */
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

/** Returns the exceptions that currently apply to this host. */
export function activeExceptions(
  policy: DevicePolicy,
  host: string,
  nowMs: number,
): readonly PolicyException[] {
  return policy.exceptions.filter(
    ({ untilMs, host: named }) => untilMs > nowMs && hostMatcher([named])(host),
  );
}
