import { CodedError } from '@csg/shared/contract';
import type { Invitation, Repositories, User } from '../../storage/storage.ts';
import type { AccountDeps } from './account-deps.ts';
import { checkPassword } from './check-password.ts';
import { createAccount, makeOrganization } from './create-account.ts';
import { applyGroupRoles } from './group-roles.ts';
import { hashPassword } from './hash-password.ts';
import type { SignedIn } from './read-session.ts';
import { type Browser, type NewSession, startSession } from './start-session.ts';
import { acceptTransfer } from './transfer-organization.ts';

type ReadDeps = Pick<AccountDeps, 'storage' | 'clock'>;
type AcceptDeps = ReadDeps & { readonly signUp: 'open' | 'invitation'; readonly forgetKeys: () => void };

/** Reads an invitation by the token of its link, before the holder accepts. */
export async function readInvitation(
  deps: ReadDeps,
  token: string,
): Promise<{
  readonly invitation: Invitation;
  readonly organizationName: string;
  readonly ownerEmail: string;
  readonly user: User | null;
}> {
  const invitation = await deps.storage.invitations.findByToken(token);
  if (invitation === null || invitation.expiresAtMs <= deps.clock.now()) throw expiredInvitation();
  const organization = await deps.storage.organizations.get(invitation.organizationId);
  const owner = organization && (await deps.storage.users.get(organization.ownerId));
  if (organization === null || owner === null) throw expiredInvitation();
  return {
    invitation,
    organizationName: organization.name,
    ownerEmail: owner.email,
    user: await deps.storage.users.findByEmail(invitation.email),
  };
}

/**
 * Accepts an invitation: for the signed-in person if they have the invited address, else for a new account with the
 * given password, which is then signed in. Returns null if the current session continues.
 */
export async function acceptInvitation(
  deps: AcceptDeps,
  input: { readonly token: string; readonly password?: string; readonly name?: string },
  person: SignedIn | null,
  browser: Browser,
): Promise<NewSession | null> {
  const { invitation, user } = await readInvitation(deps, input.token);
  if (user !== null && person?.userId !== user.id) {
    throw new CodedError('not_signed_in', {
      message: 'The invited address already has an account. Sign in to it, then accept.',
    });
  }
  if (user === null && person !== null) {
    throw new CodedError('invalid_state', {
      message: `This invitation is for a different email address. Sign out, then open the link again.`,
    });
  }
  const passwordHash = user === null ? await newPassword(input, invitation.email) : null;
  const session = await deps.storage.transaction(async (repositories) => {
    await consumeInvitation(repositories, invitation);
    const userId = user?.id ?? (await makeInvited(repositories, deps, invitation, input, passwordHash));
    if (user !== null && user.emailVerifiedAtMs === null) {
      await repositories.users.update(user.id, { emailVerifiedAtMs: deps.clock.now() });
    }
    await join(repositories, invitation, userId);
    if (person === null) {
      // The account was created for this organization: later sign-ins open it until the person chooses another.
      await repositories.members.choose(invitation.organizationId, userId);
      return await startSession(repositories, deps.clock, userId, browser, invitation.organizationId);
    }
    await repositories.sessions.select(person.sessionId, invitation.organizationId);
    return null;
  });
  // The plan of another owner may now apply to this person's keys.
  deps.forgetKeys();
  return session;
}

export interface OwnInvitation {
  readonly invitation: Invitation;
  readonly organizationName: string;
  readonly ownerEmail: string;
  /** Email address of the inviter; null if the organization's directory invited them. */
  readonly inviterEmail: string | null;
}

/** Returns the open invitations to the confirmed address of a person, newest first. */
export async function listOwnInvitations(
  { storage, clock }: ReadDeps,
  person: Pick<SignedIn, 'email' | 'isEmailVerified'>,
): Promise<readonly OwnInvitation[]> {
  if (!person.isEmailVerified) return [];
  const open = (await storage.invitations.listOpenTo(person.email)).filter(
    ({ expiresAtMs }) => expiresAtMs > clock.now(),
  );
  const described = await Promise.all(
    open.map(async (invitation): Promise<OwnInvitation | null> => {
      const organization = await storage.organizations.get(invitation.organizationId);
      const owner = organization && (await storage.users.get(organization.ownerId));
      const inviter = await storage.users.get(invitation.invitedBy);
      return (
        owner && {
          invitation,
          organizationName: organization.name,
          ownerEmail: owner.email,
          inviterEmail: inviter?.email ?? null,
        }
      );
    }),
  );
  return described.filter((one) => one !== null);
}

/** Accepts an invitation without its link: the person is signed in with the invited address, which is confirmed. */
export async function acceptOwnInvitation(
  deps: Omit<AcceptDeps, 'signUp'>,
  person: SignedIn,
  invitationId: string,
): Promise<void> {
  const invitation = await findOwn(deps, person, invitationId);
  await deps.storage.transaction(async (repositories) => {
    await consumeInvitation(repositories, invitation);
    await join(repositories, invitation, person.userId);
    await repositories.sessions.select(person.sessionId, invitation.organizationId);
  });
  deps.forgetKeys();
}

export async function declineInvitation(
  deps: ReadDeps,
  person: SignedIn,
  invitationId: string,
): Promise<void> {
  const { organizationId, id, role } = await findOwn(deps, person, invitationId);
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.invitations.revoke(organizationId, id))) throw expiredInvitation();
    const row = { organizationId, kind: 'invitation_declined', actor: person.userId, subject: id };
    await repositories.audit.append({ ...row, data: { role } });
  });
}

async function findOwn(deps: ReadDeps, person: SignedIn, invitationId: string): Promise<Invitation> {
  const own = await listOwnInvitations(deps, person);
  const found = own.find(({ invitation }) => invitation.id === invitationId);
  if (found === undefined) {
    throw new CodedError('not_found', { message: 'No such open invitation.' });
  }
  return found.invitation;
}

/** Consumes the invitation once, also if two requests accept it concurrently or an admin revokes it meanwhile. */
async function consumeInvitation(
  repositories: Pick<Repositories, 'invitations'>,
  { organizationId, id }: Invitation,
): Promise<void> {
  if (!(await repositories.invitations.accept(organizationId, id))) throw expiredInvitation();
}

async function join(repositories: Repositories, invitation: Invitation, userId: string): Promise<void> {
  const { organizationId, role, id, invitedBy } = invitation;
  if (role === 'owner') return await acceptTransfer(repositories, invitation, userId);
  if ((await repositories.members.get(organizationId, userId)) !== null) return;
  await repositories.members.add(organizationId, userId, role);
  await repositories.audit.append({
    organizationId,
    kind: 'member_added',
    actor: userId,
    subject: userId,
    data: { role, invitation_id: id, invited_by: invitedBy },
  });
  await applyGroupRoles(repositories, { organizationId, actor: userId }, [userId]);
}

async function newPassword(
  input: { readonly password?: string; readonly name?: string },
  email: string,
): Promise<string> {
  await checkPassword('password', input.password ?? '', [email, input.name ?? null]);
  return await hashPassword(input.password ?? '');
}

/** The address counts as verified because the link arrived by email. */
async function makeInvited(
  repositories: Repositories,
  deps: Pick<AcceptDeps, 'clock' | 'signUp'>,
  invitation: Invitation,
  input: { readonly name?: string },
  passwordHash: string | null,
): Promise<string> {
  const user = await createAccount(repositories, {
    email: invitation.email,
    name: input.name?.trim() || null,
    passwordHash,
    emailVerifiedAtMs: deps.clock.now(),
  });
  if (deps.signUp === 'open') {
    await makeOrganization(repositories, user.id, { kind: 'personal', name: 'My organization' });
  }
  return user.id;
}

function expiredInvitation(): CodedError {
  return new CodedError('link_expired', {
    message:
      'This invitation was already accepted or revoked, was replaced by a newer email, or has expired. Request a new one.',
  });
}
