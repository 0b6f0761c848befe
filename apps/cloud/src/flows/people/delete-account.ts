import { CodedError } from '@csg/shared/contract';
import type { AccountDeps } from './account-deps.ts';
import { confirmPassword } from './confirm-password.ts';
import { endMembership } from './members.ts';
import type { SignedIn } from './read-session.ts';

/**
 * Forgets a person, at their own wish: every membership ends with all that hangs on it, then the account goes, with
 * sessions, mails and invitations. Records keep their id, which names nobody any more. Who owns an organization hands
 * it over first.
 */
export async function deleteAccount(
  deps: Pick<AccountDeps, 'storage' | 'signInHolds'> & { readonly forgetKeys: () => void },
  person: SignedIn,
  currentPassword: string,
): Promise<void> {
  await confirmPassword(deps, person, currentPassword);
  const { userId, email } = person;
  await deps.storage.transaction(async (repositories) => {
    if ((await repositories.organizations.listOwned(userId)).length > 0) {
      throw new CodedError('owner_protected', {
        message: 'You own an organization. Hand it over to somebody else first.',
      });
    }
    const organizations = await repositories.organizations.listForUser(userId);
    // Always in the same order: two who hold several chains would else wait for each other.
    for (const id of organizations.map((organization) => organization.id).sort()) {
      await endMembership(repositories, id, userId, userId);
      await repositories.audit.append({
        organizationId: id,
        kind: 'account_deleted',
        actor: userId,
        subject: userId,
        data: {},
      });
    }
    await repositories.mails.forget(email);
    await repositories.invitations.forget(email);
    await repositories.users.remove(userId);
  });
  deps.forgetKeys();
}
