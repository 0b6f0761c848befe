import type { UnenrollReply } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import type { DeviceContext } from './device-config.ts';

export interface UnenrollDeps {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly forgetKeys: () => void;
}

/** Unenrolls a device: its credential is revoked when this resolves. Repeating it has no effect. */
export async function unenrollDevice(
  deps: UnenrollDeps,
  { organizationId, deviceId }: DeviceContext,
): Promise<UnenrollReply> {
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.devices.revoke(organizationId, deviceId))) return;
    await repositories.audit.append({
      organizationId,
      kind: 'device_unenrolled',
      actor: deviceId,
      subject: deviceId,
      data: {},
    });
  });
  deps.forgetKeys();
  return { device_id: deviceId, revoked: true };
}
