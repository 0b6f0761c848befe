import { CodedError } from '@csg/shared/contract';
import type { Repositories, Storage } from '../../storage/storage.ts';
import { endMembership } from '../accounts/members.ts';

/**
 * Erases a person's readable data from the database: address, name, sign-in methods, texts they wrote. Their
 * memberships end with everything that depends on them. Their id stays in audit records, so that no chain breaks.
 * Throws `owner_protected` if they own an organization with other members.
 */
export async function eraseUser(
  deps: { readonly storage: Pick<Storage, 'transaction'>; readonly forgetKeys: () => void },
  email: string,
  actor: string,
): Promise<{ readonly userId: string; readonly organizations: readonly string[] } | null> {
  const erased = await deps.storage.transaction(async (repositories) => {
    const user = await repositories.users.findByEmail(email);
    if (user === null) return null;
    const organizations = await repositories.organizations.listForUser(user.id);
    for (const { id, role } of organizations) {
      if (role === 'owner') await leaveOwn(repositories, id, user.id);
      else await endMembership(repositories, id, user.id, actor);
    }
    await repositories.erasures.eraseUser(user.id);
    for (const { id } of organizations) {
      const entry = { organizationId: id, kind: 'person_erased', actor, subject: user.id };
      await repositories.audit.append({ ...entry, data: {} });
    }
    return { userId: user.id, organizations: organizations.map(({ id }) => id) };
  });
  deps.forgetKeys();
  return erased;
}

/** The organization is kept, with its audit log, but renamed, because its name may be the person's. */
async function leaveOwn(repositories: Repositories, organizationId: string, userId: string): Promise<void> {
  if ((await repositories.members.list(organizationId)).length > 1) {
    throw new CodedError('owner_protected', {
      message:
        'This person owns an organization with other members. Transfer it, or remove the other members, first.',
    });
  }
  await repositories.keys.revokeByMember(organizationId, userId);
  await repositories.enrollments.revokeByMember(organizationId, userId);
  await repositories.devices.revokeByMember(organizationId, userId);
  await repositories.organizations.rename(organizationId, 'Erased');
}
