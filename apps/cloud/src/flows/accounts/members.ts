import { CodedError } from '@csg/shared/contract';
import type { Member, Repositories, Role, Storage } from '../../storage/storage.ts';
import type { TeamCaller } from './organizations.ts';

export interface MemberDeps {
  readonly storage: Pick<Storage, 'transaction'>;
  /** Makes the next request of every key read its state again. */
  readonly forgetKeys: () => void;
}

/** Changes a member's role. The role of owner is only passed on by a transfer. */
export async function changeRole(
  deps: MemberDeps,
  admin: Pick<TeamCaller, 'organizationId' | 'userId'>,
  userId: string,
  role: Exclude<Role, 'owner'>,
): Promise<Member> {
  const { organizationId } = admin;
  return await deps.storage.transaction(async (repositories) => {
    const member = await repositories.members.lock(organizationId, userId);
    if (member === null) throw unknownMember();
    if (member.role === 'owner') throw new CodedError('owner_protected');
    if (member.groupRole !== null) {
      throw new CodedError('invalid_state', {
        message:
          "This member's role comes from a group of the directory. Change the group there, or the role map on the settings page.",
      });
    }
    await repositories.members.setRole(organizationId, userId, role);
    await repositories.audit.append({
      organizationId,
      kind: 'member_role_changed',
      actor: admin.userId,
      subject: userId,
      data: { was: member.role, role },
    });
    return { ...member, role, ownRole: null, claimRole: null };
  });
}

/** Ends a membership, at the request of an admin or the member. The person's account is kept. */
export async function removeMember(
  deps: MemberDeps,
  admin: Pick<TeamCaller, 'organizationId' | 'userId'>,
  userId: string,
): Promise<void> {
  await deps.storage.transaction((repositories) =>
    endMembership(repositories, admin.organizationId, userId, admin.userId),
  );
  deps.forgetKeys();
}

/**
 * Ends a membership with everything that depends on it in this organization: keys the person created, devices assigned
 * to them, enrollments that would assign new ones. Bulk enrollments, devices with only a label and the person's own
 * organizations are kept. Throws `owner_protected`, `not_found`.
 */
export async function endMembership(
  repositories: Pick<Repositories, 'members' | 'keys' | 'devices' | 'enrollments' | 'audit'>,
  organizationId: string,
  userId: string,
  actor: string,
): Promise<void> {
  const ended = await takeMembership(repositories, organizationId, userId);
  await recordEndedMembership(repositories, organizationId, userId, actor, ended);
}

/** Ids of what ended with a membership. */
interface EndedMembership {
  readonly role: Role;
  readonly keys: readonly string[];
  readonly devices: readonly string[];
  readonly enrollments: readonly string[];
}

/** Ends the membership without recording it; the caller records it. */
export async function takeMembership(
  repositories: Pick<Repositories, 'members' | 'keys' | 'devices' | 'enrollments'>,
  organizationId: string,
  userId: string,
): Promise<EndedMembership> {
  // Locked first: a concurrent request that creates a key or a device for this person waits, and then finds no member.
  const member = await repositories.members.lock(organizationId, userId);
  if (member === null) throw unknownMember();
  if (member.role === 'owner') throw new CodedError('owner_protected');
  await repositories.members.remove(organizationId, userId);
  const keys = await repositories.keys.revokeByMember(organizationId, userId);
  // Enrollments before devices: a device that enrolls concurrently either exists by then or finds its token consumed.
  const enrollments = await repositories.enrollments.revokeByMember(organizationId, userId);
  const devices = await repositories.devices.revokeByMember(organizationId, userId);
  return { role: member.role, keys, devices, enrollments };
}

export async function recordEndedMembership(
  repositories: Pick<Repositories, 'audit'>,
  organizationId: string,
  userId: string,
  actor: string,
  ended: EndedMembership,
): Promise<void> {
  await repositories.audit.append({
    organizationId,
    kind: 'member_removed',
    actor,
    subject: userId,
    data: {
      role: ended.role,
      keys_revoked: [...ended.keys],
      devices_revoked: [...ended.devices],
      enrollments_revoked: [...ended.enrollments],
    },
  });
}

function unknownMember(): CodedError {
  return new CodedError('not_found', { message: 'No such member.' });
}
