import { CodedError } from '@csg/shared/contract';
import type { Invitation, Repositories, Role } from '../../storage/storage.ts';
import type { AccountDeps } from './account-deps.ts';
import { invitationEmail } from './email-texts.ts';
import { limitEmails } from './limit-emails.ts';
import type { TeamCaller } from './organizations.ts';

type Deps = Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'limiter'>;

export const INVITATION_LIFE_MS = 7 * 24 * 60 * 60_000;
const RESEND_AFTER_MS = 60_000;
const MAX_OPEN = 200;

/** Invites a person to join, by email. */
export async function invite(
  deps: Deps,
  caller: TeamCaller,
  input: { readonly email: string; readonly role: Exclude<Role, 'owner'> },
): Promise<Invitation> {
  if (!caller.session.isEmailVerified) {
    throw new CodedError('email_not_verified', {
      message: 'Confirm your own email address before you invite others.',
    });
  }
  const { organizationId } = caller;
  const email = input.email.trim();
  await limitEmails(deps, { kind: 'organization', id: organizationId }, email);
  const nowMs = deps.clock.now();
  return await deps.storage.transaction(async (repositories) => {
    // Of two concurrent calls, the second counts the invitation of the first.
    await repositories.organizations.lock(organizationId);
    const user = await repositories.users.findByEmail(email);
    if (user !== null && (await repositories.members.get(organizationId, user.id)) !== null) {
      throw new CodedError('invalid_state', { message: 'This person is already a member.' });
    }
    const open = await repositories.invitations.findOpenFor(organizationId, email);
    if (open !== null && open.expiresAtMs > nowMs) {
      throw new CodedError('invalid_state', {
        message: 'This address is already invited. Send that invitation again, or revoke it.',
        fields: { invitation_id: open.id },
      });
    }
    if (open !== null) await repositories.invitations.revoke(organizationId, open.id);
    await requireFewOpen(repositories, organizationId, nowMs);
    const made = await repositories.invitations.create(organizationId, {
      email,
      role: input.role,
      invitedBy: caller.userId,
      expiresAtMs: nowMs + INVITATION_LIFE_MS,
    });
    await sendInvitation(repositories, deps, caller, made);
    await record(repositories, caller, 'invitation_created', made.invitation);
    return made.invitation;
  });
}

/** Resends the email with a new link and a new expiry; the previous link becomes invalid. */
export async function resendInvitation(
  deps: Deps,
  caller: TeamCaller,
  invitationId: string,
): Promise<Invitation> {
  const { organizationId } = caller;
  const nowMs = deps.clock.now();
  return await deps.storage.transaction(async (repositories) => {
    await repositories.organizations.lock(organizationId);
    const known = await repositories.invitations.get(organizationId, invitationId);
    if (known === null) throw unknownInvitation();
    if (known.status === 'open' && known.expiresAtMs <= nowMs) {
      await requireFewOpen(repositories, organizationId, nowMs);
    }
    if (known.status === 'open' && nowMs - known.sentAtMs < RESEND_AFTER_MS) {
      throw new CodedError('rate_limit_exceeded', {
        message: 'This invitation was just sent. Wait a minute before you send it again.',
        fields: { retry_after: 60 },
        headers: { 'Retry-After': '60' },
      });
    }
    const renewed = await repositories.invitations.renew(
      organizationId,
      invitationId,
      nowMs + INVITATION_LIFE_MS,
    );
    if (renewed === null) throw settled(known);
    await sendInvitation(repositories, deps, caller, renewed);
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

/** Expired invitations do not count: their links are invalid. */
async function requireFewOpen(
  { invitations }: Pick<Repositories, 'invitations'>,
  organizationId: string,
  nowMs: number,
): Promise<void> {
  const open = await invitations.listOpen(organizationId);
  if (open.filter(({ expiresAtMs }) => expiresAtMs > nowMs).length < MAX_OPEN) return;
  throw new CodedError('plan_limit_reached', {
    message: `An organization can have at most ${MAX_OPEN} open invitations. Revoke some, or wait for responses.`,
    fields: { limit: MAX_OPEN },
  });
}

async function sendInvitation(
  repositories: Pick<Repositories, 'emails'>,
  { links }: Pick<Deps, 'links'>,
  caller: TeamCaller,
  made: { readonly invitation: Invitation; readonly token: string },
): Promise<void> {
  const { email, role } = made.invitation;
  await repositories.emails.add({
    organizationId: caller.organizationId,
    to: email,
    ...invitationEmail({
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
  return new CodedError('not_found', { message: 'No such invitation.' });
}

function settled(invitation: Invitation): CodedError {
  return new CodedError('invalid_state', {
    message: `This invitation is ${invitation.status === 'open' ? 'settled' : invitation.status} already.`,
    fields: { status: invitation.status },
  });
}
