import { CodedError } from '@csg/shared/contract';
import type { DeletedWithOrganization, Repositories } from '../../storage/storage.ts';
import { startDeletingEvents } from '../delete-events.ts';
import { confirmPassword } from './confirm-password.ts';
import { type DeleteOrganizationDeps, recordDeletedOrganization } from './delete-organization.ts';
import { recordEndedMembership, takeMembership } from './members.ts';
import type { SignedIn } from './read-session.ts';

/**
 * Deletes a person's account at their request: their organizations without other members are deleted, all other
 * memberships end with everything that depends on them, then the account itself is deleted with its sessions, emails
 * and invitations. Audit records keep the user id, which no longer identifies anyone. Rejects with `owner_protected` if
 * an organization of theirs has other members.
 */
export async function deleteAccount(
  deps: DeleteOrganizationDeps,
  person: SignedIn,
  currentPassword: string,
): Promise<void> {
  await confirmPassword(deps, person, currentPassword);
  const { userId, email } = person;
  const deletedIds = await deps.storage.transaction(async (repositories) => {
    // A concurrent request that creates another organization for this person waits for this lock and then finds no
    // account.
    await repositories.users.lock(userId);
    const owned = await removeOwned(repositories, userId);
    const others = await leaveOthers(repositories, userId);
    // Audit chains are locked last and always in the same order, so that two transactions with several chains cannot
    // deadlock.
    for (const id of [...owned.keys(), ...others.keys()].sort()) {
      const deleted = owned.get(id);
      const ended = others.get(id);
      if (deleted !== undefined) await recordDeletedOrganization(repositories, id, userId, deleted);
      if (ended !== undefined) await recordEndedMembership(repositories, id, userId, userId, ended);
      await repositories.audit.append({
        organizationId: id,
        kind: 'account_deleted',
        actor: userId,
        subject: userId,
        data: {},
      });
    }
    await repositories.emails.forget(email);
    await repositories.invitations.forget(email);
    await repositories.users.remove(userId);
    return [...owned.keys()];
  });
  deps.forgetKeys();
  for (const id of deletedIds) startDeletingEvents(deps, id, null);
}

async function removeOwned(
  repositories: Repositories,
  userId: string,
): Promise<ReadonlyMap<string, DeletedWithOrganization>> {
  const owned = await repositories.organizations.listOwned(userId);
  const deleted = new Map<string, DeletedWithOrganization>();
  for (const { id, name } of owned.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const locked = await repositories.deletions.lockOrganization(id);
    if (locked === null) continue;
    if (locked.members > 1) {
      throw new CodedError('owner_protected', {
        message: `"${name}", which you own, has other members. Transfer it, delete it, or remove its other members first.`,
        fields: { organization_id: id },
      });
    }
    deleted.set(id, await repositories.deletions.removeOrganization(id));
  }
  return deleted;
}

async function leaveOthers(repositories: Repositories, userId: string) {
  const ended = new Map<string, Awaited<ReturnType<typeof takeMembership>>>();
  for (const { id } of await repositories.organizations.listForUser(userId)) {
    ended.set(id, await takeMembership(repositories, id, userId));
  }
  return ended;
}
