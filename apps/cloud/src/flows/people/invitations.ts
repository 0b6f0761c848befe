import { CodedError } from '@csg/shared/contract';
import type { Invitation, Repositories, Role, User } from '../../storage/storage.ts';
import type { AccountDeps } from './account-deps.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword } from './hash-password.ts';
import { limitMails } from './limit-mails.ts';
import { invitationMail } from './mail-texts.ts';
import { makeAccount, makeOrganization } from './make-account.ts';
import type { TeamCaller } from './organizations.ts';
import type { SignedIn } from './read-session.ts';
import { type Browser, type NewSession, startSession } from './start-session.ts';
import { takeOrganization } from './transfer-organization.ts';

type Deps = Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'limiter'>;

const LIFE_MS = 7 * 24 * 60 * 60_000;
const RESEND_AFTER_MS = 60_000;
const MAX_OPEN = 200;

/** Asks somebody to join, by mail. */
export async function invite(
  deps: Deps,
  caller: TeamCaller,
  wish: { readonly email: string; readonly role: Exclude<Role, 'owner'> },
): Promise<Invitation> {
  if (!caller.session.isEmailVerified) {
    throw new CodedError('email_not_verified', {
      message: 'Confirm your own e-mail address before you invite others.',
    });
  }
  const { organizationId } = caller;
  const email = wish.email.trim();
  await limitMails(deps, { kind: 'organization', id: organizationId }, email);
  const nowMs = deps.clock.now();
  return await deps.storage.transaction(async (repositories) => {
    const user = await repositories.users.findByEmail(email);
    if (user !== null && (await repositories.members.get(organizationId, user.id)) !== null) {
      throw new CodedError('invalid_state', { message: 'This person is a member already.' });
    }
    const open = await repositories.invitations.findOpenFor(organizationId, email);
    if (open !== null && open.expiresAtMs > nowMs) {
      throw new CodedError('invalid_state', {
        message: 'This address is invited already. Send that invitation again, or revoke it.',
        fields: { invitation_id: open.id },
      });
    }
    if (open !== null) await repositories.invitations.revoke(organizationId, open.id);
    if ((await repositories.invitations.listOpen(organizationId)).length >= MAX_OPEN) {
      throw new CodedError('plan_limit_reached', {
        message: `${MAX_OPEN} invitations are open. Revoke some, or wait until they are answered.`,
        fields: { limit: MAX_OPEN },
      });
    }
    const made = await repositories.invitations.create(organizationId, {
      email,
      role: wish.role,
      invitedBy: caller.userId,
      expiresAtMs: nowMs + LIFE_MS,
    });
    await mail(repositories, deps, caller, made);
    await record(repositories, caller, 'invitation_created', made.invitation);
    return made.invitation;
  });
}

/** The mail once more, with a new link and a new end; the link before is worth nothing. */
export async function resendInvitation(
  deps: Deps,
  caller: TeamCaller,
  invitationId: string,
): Promise<Invitation> {
  const { organizationId } = caller;
  const nowMs = deps.clock.now();
  return await deps.storage.transaction(async (repositories) => {
    const known = await repositories.invitations.get(organizationId, invitationId);
    if (known === null) throw unknownInvitation();
    if (known.status === 'open' && nowMs - known.sentAtMs < RESEND_AFTER_MS) {
      throw new CodedError('rate_limit_exceeded', {
        message: 'It was sent a moment ago. Wait a minute.',
        fields: { retry_after: 60 },
        headers: { 'Retry-After': '60' },
      });
    }
    const renewed = await repositories.invitations.renew(organizationId, invitationId, nowMs + LIFE_MS);
    if (renewed === null) throw settled(known);
    await mail(repositories, deps, caller, renewed);
    await record(repositories, caller, 'invitation_resent', renewed.invitation);
    return renewed.invitation;
  });
}

export async function revokeInvitation(deps: Deps, caller: TeamCaller, invitationId: string): Promise<void> {
  const { organizationId } = caller;
  await deps.storage.transaction(async (repositories) => {
    const known = await repositories.invitations.get(organizationId, invitationId);
    if (known === null) throw unknownInvitation();
    if (!(await repositories.invitations.revoke(organizationId, invitationId))) throw settled(known);
    await record(repositories, caller, 'invitation_revoked', known);
  });
}

/** What an invitation's link says to its holder, before they accept. */
export async function readInvitation(
  deps: Deps,
  token: string,
): Promise<{
  readonly invitation: Invitation;
  readonly organizationName: string;
  readonly user: User | null;
}> {
  const invitation = await deps.storage.invitations.findByToken(token);
  if (invitation === null || invitation.expiresAtMs <= deps.clock.now()) throw expiredInvitation();
  const organization = await deps.storage.organizations.get(invitation.organizationId);
  if (organization === null) throw expiredInvitation();
  return {
    invitation,
    organizationName: organization.name,
    user: await deps.storage.users.findByEmail(invitation.email),
  };
}

/**
 * Joins: the person who is signed in, where the invitation is theirs, or a new account made with the password given,
 * which is signed in here. Null: the session that asked goes on.
 */
export async function acceptInvitation(
  deps: Deps & { readonly signUp: 'open' | 'invitation'; readonly forgetKeys: () => void },
  wish: { readonly token: string; readonly password?: string; readonly name?: string },
  person: SignedIn | null,
  browser: Browser,
): Promise<NewSession | null> {
  const { invitation, user } = await readInvitation(deps, wish.token);
  if (user !== null && person?.userId !== user.id) {
    throw new CodedError('not_signed_in', {
      message: 'There is an account with the invited address already. Sign in to it, then accept.',
    });
  }
  if (user === null && person !== null) {
    throw new CodedError('invalid_state', {
      message: `This invitation is for another address than yours. Sign out, then open the link again.`,
    });
  }
  const passwordHash = user === null ? await newPassword(wish, invitation.email) : null;
  const session = await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.invitations.accept(invitation.organizationId, invitation.id))) {
      throw expiredInvitation();
    }
    const userId = user?.id ?? (await makeInvited(repositories, deps, invitation, wish, passwordHash));
    if (user !== null && user.emailVerifiedAtMs === null) {
      await repositories.users.update(user.id, { emailVerifiedAtMs: deps.clock.now() });
    }
    if (invitation.role === 'owner') await takeOrganization(repositories, invitation, userId);
    else if ((await repositories.members.get(invitation.organizationId, userId)) === null) {
      await repositories.members.add(invitation.organizationId, userId, invitation.role);
      await repositories.audit.append({
        organizationId: invitation.organizationId,
        kind: 'member_added',
        actor: userId,
        subject: userId,
        data: { role: invitation.role, invitation_id: invitation.id, invited_by: invitation.invitedBy },
      });
    }
    if (person === null) {
      return await startSession(repositories, deps.clock, userId, browser, invitation.organizationId);
    }
    await repositories.sessions.select(person.sessionId, invitation.organizationId);
    return null;
  });
  // Another owner's plan may count for its keys now.
  deps.forgetKeys();
  return session;
}

async function newPassword(
  wish: { readonly password?: string; readonly name?: string },
  email: string,
): Promise<string> {
  await checkPassword('password', wish.password ?? '', [email, wish.name ?? null]);
  return await hashPassword(wish.password ?? '');
}

/** The link came by mail: the address is proven. */
async function makeInvited(
  repositories: Repositories,
  deps: Deps & { readonly signUp: 'open' | 'invitation' },
  invitation: Invitation,
  wish: { readonly name?: string },
  passwordHash: string | null,
): Promise<string> {
  const user = await makeAccount(repositories, {
    email: invitation.email,
    name: wish.name?.trim() || null,
    passwordHash,
    emailVerifiedAtMs: deps.clock.now(),
  });
  if (deps.signUp === 'open') {
    await makeOrganization(repositories, user.id, { kind: 'personal', name: 'My organization' });
  }
  return user.id;
}

async function mail(
  repositories: Pick<Repositories, 'mails'>,
  { links }: Pick<Deps, 'links'>,
  caller: TeamCaller,
  made: { readonly invitation: Invitation; readonly token: string },
): Promise<void> {
  const { email, role } = made.invitation;
  await repositories.mails.add({
    organizationId: caller.organizationId,
    to: email,
    ...invitationMail({
      organization: caller.organizationName,
      inviter: caller.session,
      role,
      link: links.oneTime('invitation', made.token),
    }),
  });
}

async function record(
  repositories: Pick<Repositories, 'audit'>,
  caller: TeamCaller,
  kind: string,
  invitation: Invitation,
): Promise<void> {
  await repositories.audit.append({
    organizationId: caller.organizationId,
    kind,
    actor: caller.userId,
    subject: invitation.id,
    data: { role: invitation.role },
  });
}

function unknownInvitation(): CodedError {
  return new CodedError('not_found', { message: 'There is no invitation with this id.' });
}

function settled(invitation: Invitation): CodedError {
  return new CodedError('invalid_state', {
    message: `This invitation is ${invitation.status === 'open' ? 'settled' : invitation.status} already.`,
    fields: { status: invitation.status },
  });
}

function expiredInvitation(): CodedError {
  return new CodedError('link_expired', {
    message:
      'This invitation was accepted or revoked already, was replaced by a newer mail, or has expired. Ask for another.',
  });
}
