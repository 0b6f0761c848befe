import { CodedError } from '@csg/shared/contract';
import type { DeletedWithOrganization, Repositories } from '../../storage/storage.ts';
import { type DeleteEventsDeps, startDeletingEvents } from '../delete-events.ts';
import type { AccountDeps } from './account-deps.ts';
import { confirmPassword } from './confirm-password.ts';
import type { SignedIn } from './read-session.ts';

export interface DeleteOrganizationDeps extends Pick<AccountDeps, 'storage' | 'clock' | 'signInThrottle'> {
  readonly log: DeleteEventsDeps['log'];
  /** Makes every request read its key again, so that changes take effect immediately on this instance. */
  readonly forgetKeys: () => void;
}

/**
 * Deletes an organization at its owner's request, with everything in it, all or nothing. Every membership ends; the
 * accounts of its members stay. The audit log stays, for the operator to verify.
 */
export async function deleteOrganization(
  deps: DeleteOrganizationDeps,
  person: SignedIn,
  organizationId: string,
  currentPassword: string,
): Promise<void> {
  await requireOwner(deps, person, organizationId);
  await confirmPassword(deps, person, currentPassword);
  await deps.storage.transaction(async (repositories) => {
    const locked = await repositories.deletions.lockOrganization(organizationId);
    if (locked === null) throw unknownOrganization();
    // It may have been transferred meanwhile.
    if (locked.ownerId !== person.userId) throw notItsOwner();
    const deleted = await repositories.deletions.removeOrganization(organizationId);
    await recordDeletedOrganization(repositories, organizationId, person.userId, deleted);
  });
  deps.forgetKeys();
  startDeletingEvents(deps, organizationId, null);
}

export async function recordDeletedOrganization(
  repositories: Pick<Repositories, 'audit'>,
  organizationId: string,
  actor: string,
  deleted: DeletedWithOrganization,
): Promise<void> {
  await repositories.audit.append({
    organizationId,
    kind: 'organization_deleted',
    actor,
    subject: organizationId,
    data: {
      projects: [...deleted.projects],
      members: [...deleted.members],
      keys_revoked: [...deleted.keys],
      devices_revoked: [...deleted.devices],
      enrollments_revoked: [...deleted.enrollments],
    },
  });
}

/** Rejects everyone but the owner; to people who are not members the organization does not exist. */
async function requireOwner(
  { storage }: Pick<AccountDeps, 'storage'>,
  person: SignedIn,
  organizationId: string,
): Promise<void> {
  const organizations = await storage.organizations.listForUser(person.userId);
  const organization = organizations.find(({ id }) => id === organizationId);
  if (organization === undefined) throw unknownOrganization();
  if (organization.requiresSecondFactor && !person.hasSecondFactor) {
    throw new CodedError('second_factor_missing');
  }
  if (organization.role !== 'owner') throw notItsOwner();
}

function unknownOrganization(): CodedError {
  return new CodedError('not_found', { message: 'No such organization among yours.' });
}

function notItsOwner(): CodedError {
  return new CodedError('insufficient_role', {
    message: 'Only the owner can delete an organization.',
    fields: { required_role: 'owner' },
  });
}
