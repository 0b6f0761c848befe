/**
 * Chooses and decides, and does nothing: tunnel or open, and what becomes of a request once there is a verdict or
 * none. Pure; called by the proxy. The only room where failing open or closed is chosen.
 */
import { compileRuleset, type Ruleset, Workspace } from '@csg/shared/detection';
import type { DevicePolicy, PolicyException } from './device-policy.ts';

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

/** `name` matches itself alone, `*.name` every name below. */
export function hostMatcher(patterns: readonly string[]): (host: string) => boolean {
  const names = new Set<string>();
  const suffixes: string[] = [];
  for (const pattern of patterns) {
    const name = normalHost(pattern);
    if (name.startsWith('*.')) suffixes.push(name.slice(1));
    else names.add(name);
  }
  return (host) => {
    const name = normalHost(host);
    return names.has(name) || suffixes.some((suffix) => name.endsWith(suffix));
  };
}

/** Lower case, without the root's dot and an IPv6 address's brackets. */
export function normalHost(host: string): string {
  const name = host.toLowerCase();
  if (name.startsWith('[') && name.endsWith(']')) return name.slice(1, -1);
  return name.endsWith('.') ? name.slice(0, -1) : name;
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
