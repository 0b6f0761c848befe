import type { Heartbeat, HeartbeatReply } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import { type DeviceConfigDeps, type DeviceContext, readPolicyVersion } from './device-config.ts';

export interface HeartbeatDeps extends DeviceConfigDeps {
  readonly storage: DeviceConfigDeps['storage'] & Pick<Storage, 'audit'>;
}

/** Records a device's state; the reply shows whether its configuration is current. */
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
  // The audit log records whether a device is protected, but no other part of a heartbeat.
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
