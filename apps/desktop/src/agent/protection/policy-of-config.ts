import type { DeviceConfig } from '@csg/shared/contract';
import type { RulesetInput } from '@csg/shared/detection';
import type { DevicePolicy } from '../../inspect/device-policy.ts';

/** Combines the configuration that the service signed with this computer's own hosts into the proxy's policy. */
export function policyOfConfig(
  config: DeviceConfig,
  own: { readonly server: string; readonly extraHosts: readonly string[] },
): DevicePolicy {
  return {
    mode: config.mode,
    failClosed: config.fail_closed,
    hosts: [...new Set([...config.hosts, ...own.extraHosts])],
    bypassHosts: config.bypass_hosts,
    blockedTools: config.blocked_tools,
    policyVersion: config.policy_version,
    ruleset: config.ruleset as RulesetInput,
    streaming: config.streaming ?? 'buffered',
    holdsPages: config.streaming === 'buffered',
    masking: config.masking ?? 'one_way',
    masksWorkingData: config.masking !== undefined || config.ruleset.strictness === 'strict',
    secretTools: config.secret_tools ?? {},
    exceptions: config.exceptions.map((exception) => ({
      id: exception.id,
      host: exception.destination_host,
      threats: exception.threat_types,
      untilMs: Date.parse(exception.expires_at),
    })),
    requestUrl: `${own.server.replace(/\/$/, '')}/dashboard/requests/new`,
  };
}
