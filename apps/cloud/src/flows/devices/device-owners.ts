import { CodedError } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import type { Member, Repositories, Storage } from '../../storage/storage.ts';

export interface DeviceOwnersDeps {
  readonly storage: Pick<Storage, 'members' | 'transaction'>;
  /** Makes the next request of every key read its state again. */
  readonly forgetKeys: () => void;
}

export async function findMemberByEmail(
  { members }: Pick<Repositories, 'members'>,
  organizationId: string,
  email: string,
): Promise<Member> {
  const wanted = email.trim().toLowerCase();
  const found = (await members.list(organizationId)).find((member) => member.email.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new CodedError('not_found', {
    message: `No member of this organization has the email address ${email}.`,
  });
}

/** Sets the owner of a device, whose membership it depends on. Null: no owner, as after a bulk enrollment. */
export async function assignDevice(
  { storage }: DeviceOwnersDeps,
  { organizationId, id }: Admin,
  deviceId: string,
  email: string | null,
): Promise<void> {
  const member = email === null ? null : await findMemberByEmail(storage, organizationId, email);
  await storage.transaction(async (repositories) => {
    // Locked: a membership that ends concurrently either finds the device, or has ended before the assignment.
    const held = member === null ? null : await repositories.members.lock(organizationId, member.userId);
    if (member !== null && held === null) throw new CodedError('not_found');
    const before = await repositories.devices.get(organizationId, deviceId);
    if (before === null) throw new CodedError('not_found', { message: 'No such device.' });
    if (before.revokedAtMs !== null) {
      throw new CodedError('invalid_state', { message: 'This device is revoked and cannot be assigned.' });
    }
    const userId = member?.userId ?? null;
    await repositories.devices.assign(organizationId, deviceId, userId);
    await repositories.audit.append({
      organizationId,
      kind: 'device_assigned',
      actor: id,
      subject: deviceId,
      data: { was: before.userId, user_id: userId },
    });
  });
}

/** Revokes all devices or, if one is unknown, none; revoked ones are skipped. */
export async function revokeDevices(
  { storage, forgetKeys }: DeviceOwnersDeps,
  { organizationId, id }: Admin,
  deviceIds: readonly string[],
): Promise<readonly string[]> {
  const revoked = await storage.transaction(async (repositories) => {
    const ended: string[] = [];
    for (const deviceId of [...new Set(deviceIds)].sort()) {
      if (await repositories.devices.revoke(organizationId, deviceId)) {
        ended.push(deviceId);
        const entry = { organizationId, kind: 'device_revoked', actor: id, subject: deviceId, data: {} };
        await repositories.audit.append(entry);
      } else if ((await repositories.devices.get(organizationId, deviceId)) === null) {
        throw new CodedError('not_found', {
          message: 'One of these devices does not exist, so none was revoked.',
        });
      }
    }
    return ended;
  });
  forgetKeys();
  return revoked;
}
