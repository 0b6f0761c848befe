import type { Heartbeat, HeartbeatReply } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import { type DeviceConfigDeps, type DeviceContext, readPolicyVersion } from './device-config.ts';

export interface HeartbeatDeps extends DeviceConfigDeps {
  readonly storage: DeviceConfigDeps['storage'] & Pick<Storage, 'audit'>;
}

/** Notes that a device is there and how it does; tells it whether its configuration is still the one. */
export async function recordHeartbeat(
  deps: HeartbeatDeps,
  context: DeviceContext,
  heartbeat: Heartbeat,
): Promise<HeartbeatReply> {
  const { organizationId, deviceId } = context;
  const atMs = deps.clock.now();
  const before = await deps.storage.devices.get(organizationId, deviceId);
  const device = await deps.storage.devices.recordHeartbeat(organizationId, deviceId, {
    agentVersion: heartbeat.agent_version,
    proxyRestarts: heartbeat.proxy_restarts,
    supervisorState: heartbeat.supervisor_state,
    systemProxy: heartbeat.system_proxy ?? null,
    needsAdministrator: heartbeat.needs_administrator ?? [],
    atMs,
  });
  const gaveUp = heartbeat.supervisor_state === 'gave_up';
  // Whether a machine is protected is part of the record; the rest of a heartbeat is not.
  if (device !== null && gaveUp !== (before?.supervisorState === 'gave_up')) {
    await deps.storage.audit.append({
      organizationId,
      kind: gaveUp ? 'device_gave_up' : 'device_recovered',
      actor: deviceId,
      subject: deviceId,
      data: { proxy_restarts: heartbeat.proxy_restarts },
    });
  }
  const version = await readPolicyVersion(deps, context);
  return {
    server_time: new Date(atMs).toISOString(),
    policy_version: version,
    config_changed: heartbeat.policy_version !== version,
    revoked: device === null || device.revokedAtMs !== null,
  };
}
