import { CodedError } from '@csg/shared/contract';
import type { Member, Repositories, Role, Storage } from '../../storage/storage.ts';
import type { TeamCaller } from './organizations.ts';

export interface MemberDeps {
  readonly storage: Pick<Storage, 'transaction'>;
  /** Makes the next request of every key read its state anew. */
  readonly forgetKeys: () => void;
}

/** Any role but the owner's, which goes from one to another by a transfer alone. */
export async function changeRole(
  deps: MemberDeps,
  admin: Pick<TeamCaller, 'organizationId' | 'userId'>,
  userId: string,
  role: Exclude<Role, 'owner'>,
): Promise<Member> {
  const { organizationId } = admin;
  return await deps.storage.transaction(async (repositories) => {
    const member = await repositories.members.hold(organizationId, userId);
    if (member === null) throw unknownMember();
    if (member.role === 'owner') throw new CodedError('owner_protected');
    await repositories.members.setRole(organizationId, userId, role);
    await repositories.audit.append({
      organizationId,
      kind: 'member_role_changed',
      actor: admin.userId,
      subject: userId,
      data: { was: member.role, role },
    });
    return { ...member, role };
  });
}

/** Ends a membership, by an admin or by the member. The person stays; what they could do here does not. */
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
 * The membership with all that hangs on it in this organization: keys the person made, devices bound to them,
 * enrollments that would bind new ones. Bulk enrollments, devices with a mere label and the person's own
 * organizations stay. Throws `owner_protected`, `not_found`.
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

/** What ended with a membership: ids. */
interface EndedMembership {
  readonly role: Role;
  readonly keys: readonly string[];
  readonly devices: readonly string[];
  readonly enrollments: readonly string[];
}

/** The same, to be recorded. */
export async function takeMembership(
  repositories: Pick<Repositories, 'members' | 'keys' | 'devices' | 'enrollments'>,
  organizationId: string,
  userId: string,
): Promise<EndedMembership> {
  // Held first: a request that creates a key or a device for this person waits, and then finds no member.
  const member = await repositories.members.hold(organizationId, userId);
  if (member === null) throw unknownMember();
  if (member.role === 'owner') throw new CodedError('owner_protected');
  await repositories.members.remove(organizationId, userId);
  const keys = await repositories.keys.revokeByMember(organizationId, userId);
  // Before the devices: one that is being enrolled right now is either there by then, or finds its token spent.
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
  return new CodedError('not_found', { message: 'There is no member with this id.' });
}
