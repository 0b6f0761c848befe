import { CodedError } from '@csg/shared/contract';
import type { MinuteLimiter } from '../../limits/minute-limiter.ts';
import type {
  DirectoryToken,
  DirectoryUser,
  DirectoryUserFields,
  Organization,
  Repositories,
  Storage,
} from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import type { Links } from '../links.ts';
import { createAccount } from './create-account.ts';
import { addedEmail, directoryInvitationEmail } from './email-texts.ts';
import { applyGroupRoles } from './group-roles.ts';
import { INVITATION_LIFE_MS } from './invitations.ts';
import { limitEmails } from './limit-emails.ts';
import { endMembership } from './members.ts';

export interface DirectoryDeps {
  readonly storage: Pick<Storage, 'directory' | 'transaction'>;
  readonly links: Links;
  readonly limiter: MinuteLimiter;
  readonly clock: Clock;
  readonly forgetKeys: () => void;
}

/** The acting directory, identified by a token of its organization. */
export type DirectoryCaller = Pick<DirectoryToken, 'id' | 'organizationId'>;

/** Changes to a directory entry. Omitted fields are unchanged. */
export interface DirectoryChange extends Partial<DirectoryUserFields> {
  readonly email?: string;
  readonly isActive?: boolean;
}

/**
 * Creates an account and makes its person a member. A person who already has an account is invited by email instead and
 * stays inactive until they accept; later changes by the directory cannot replace their consent. Rejects with
 * `invalid_state` if the directory already has an entry for them.
 */
export async function provisionUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  input: DirectoryChange & { readonly email: string },
): Promise<DirectoryUser> {
  const { organizationId } = caller;
  const { email, isActive = true, ...fields } = input;
  return await deps.storage.transaction(async (repositories) => {
    const known = await repositories.users.findByEmail(email);
    if (known !== null && (await repositories.directory.get(organizationId, known.id)) !== null) {
      throw new CodedError('invalid_state', {
        message: 'A user with this userName already exists.',
        fields: { scimType: 'uniqueness' },
      });
    }
    const user =
      known ??
      (await createAccount(repositories, { email, name: null, passwordHash: null, emailVerifiedAtMs: null }));
    await repositories.directory.describe(organizationId, user.id, fields);
    if (known === null) await repositories.directory.noteMadeAccount(organizationId, user.id);
    if (isActive) await admit(repositories, deps, caller, user.id);
    return (await repositories.directory.get(organizationId, user.id))!;
  });
}

/**
 * Changes a person's entry. Deactivation ends the membership, with everything that depends on it, or revokes the
 * invitation; for the owner it is rejected (`owner_protected`). Reactivation works as for a new person.
 */
export async function changeUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  userId: string,
  change: DirectoryChange,
): Promise<DirectoryUser> {
  const { organizationId } = caller;
  const { email, isActive, ...fields } = change;
  const changed = await deps.storage.transaction(async (repositories) => {
    if (isActive === false) await revokeInvitation(repositories, caller, userId);
    const known = await repositories.directory.get(organizationId, userId);
    if (known === null) throw unknownUser();
    if (email !== undefined && email.trim().toLowerCase() !== known.email.toLowerCase()) {
      throw new CodedError('invalid_request', {
        message: 'Only the owner of an account can change its email address.',
        fields: { scimType: 'mutability' },
      });
    }
    await repositories.directory.describe(organizationId, userId, fields);
    if (isActive === false && known.isActive) {
      await endMembership(repositories, organizationId, userId, caller.id);
    }
    if (isActive === true && !known.isActive) await admit(repositories, deps, caller, userId);
    return (await repositories.directory.get(organizationId, userId))!;
  });
  deps.forgetKeys();
  return changed;
}

/** Removes a person from the organization and the directory. Their account, and what they own elsewhere, are kept. */
export async function deprovisionUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  userId: string,
): Promise<void> {
  const { organizationId } = caller;
  await deps.storage.transaction(async (repositories) => {
    await revokeInvitation(repositories, caller, userId);
    const known = await repositories.directory.get(organizationId, userId);
    if (known === null) throw unknownUser();
    if (known.isActive) await endMembership(repositories, organizationId, userId, caller.id);
    await repositories.directory.forget(organizationId, userId);
  });
  deps.forgetKeys();
}

export function unknownUser(): CodedError {
  return new CodedError('not_found', { message: 'No such user.' });
}

/** Adds a person immediately if the directory created the account and no password was ever set, else invites them. */
async function admit(
  repositories: Repositories,
  deps: Pick<DirectoryDeps, 'links' | 'limiter' | 'clock'>,
  caller: DirectoryCaller,
  userId: string,
): Promise<void> {
  const { organizationId } = caller;
  const user = await repositories.users.get(userId);
  const organization = await repositories.organizations.get(organizationId);
  const described = await repositories.directory.get(organizationId, userId);
  if (user === null || organization === null || described === null) throw unknownUser();
  if (described.hasMadeAccount && user.passwordHash === null) {
    await limitEmails(deps, { kind: 'directory', id: organizationId }, user.email);
    await repositories.members.add(organizationId, userId, 'member');
    await record(repositories, caller, 'member_added', userId);
    await applyGroupRoles(repositories, { organizationId, actor: caller.id }, [userId]);
    const text = addedEmail(organization.name, deps.links.page('forgot-password'));
    await repositories.emails.add({ organizationId, to: user.email, ...text });
  } else await invite(repositories, deps, caller, organization, user.email);
}

/** Sends only one invitation: a directory that repeats the same request every hour causes no further email. */
async function invite(
  repositories: Repositories,
  deps: Pick<DirectoryDeps, 'links' | 'limiter' | 'clock'>,
  caller: DirectoryCaller,
  organization: Organization,
  email: string,
): Promise<void> {
  const { organizationId } = caller;
  const nowMs = deps.clock.now();
  const open = await repositories.invitations.findOpenFor(organizationId, email);
  if (open !== null && open.expiresAtMs > nowMs) return;
  await limitEmails(deps, { kind: 'directory', id: organizationId }, email);
  if (open !== null) await repositories.invitations.revoke(organizationId, open.id);
  const { invitation, token } = await repositories.invitations.create(organizationId, {
    email,
    role: 'member',
    invitedBy: caller.id,
    expiresAtMs: nowMs + INVITATION_LIFE_MS,
  });
  const owner = await repositories.users.get(organization.ownerId);
  const text = directoryInvitationEmail({
    organization: organization.name,
    owner: owner?.email ?? '',
    link: deps.links.oneTime('invitation', token),
  });
  await repositories.emails.add({ organizationId, to: email, ...text });
  await record(repositories, caller, 'invitation_created', invitation.id);
}

/** Called before the membership is read, so that a concurrent acceptance either made a member or fails. */
async function revokeInvitation(
  repositories: Repositories,
  caller: DirectoryCaller,
  userId: string,
): Promise<void> {
  const { organizationId } = caller;
  const described = await repositories.directory.get(organizationId, userId);
  const open = described && (await repositories.invitations.findOpenFor(organizationId, described.email));
  if (open && open.role !== 'owner' && (await repositories.invitations.revoke(organizationId, open.id))) {
    await record(repositories, caller, 'invitation_revoked', open.id);
  }
}

async function record(
  repositories: Pick<Repositories, 'audit'>,
  { organizationId, id: actor }: DirectoryCaller,
  kind: string,
  subject: string,
): Promise<void> {
  await repositories.audit.append({ organizationId, kind, actor, subject, data: { role: 'member' } });
}
